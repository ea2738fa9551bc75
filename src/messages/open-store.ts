import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import type { MessageStore } from './message-store.ts';
import { parseAckMode } from './redis/acknowledgement.ts';
import { RedisStore } from './redis/redis-store.ts';
import { readTarget } from './redis/redis-target.ts';
import { openSqliteStore } from './sqlite-store.ts';

/**
 * The store that `config` asks for: Redis where it names one, else the embedded one.
 * @throws if the embedded store cannot be opened. A Redis that is away is waited for.
 */
export function openStore(config: Config, clock: () => number, log: FastifyBaseLogger): MessageStore {
  const common = {
    stream: config.STREAM_NAME,
    searchIndex: config.STREAM_SEARCH_INDEX,
    retention: { maxLength: config.STREAM_MAXLEN, maxAgeMs: config.STREAM_RETENTION },
    timeoutMs: config.STREAM_TIMEOUT,
    clock,
    log,
  };
  const target = readTarget(config);
  if (target === undefined) return openSqliteStore({ ...common, dataDir: config.DATA_DIR });
  return new RedisStore({ ...common, target, acknowledge: parseAckMode(config.STREAM_ACK ?? 'memory') });
}
