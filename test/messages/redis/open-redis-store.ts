import { Redis } from 'ioredis';
import type { Test } from 'tap';
import type { RedisClient } from '../../../src/messages/redis/connect-redis.ts';
import { RedisStore, type RedisStoreOptions } from '../../../src/messages/redis/redis-store.ts';
import type { RedisTarget } from '../../../src/messages/redis/redis-target.ts';
import { until } from '../../programs/until.ts';
import type { OpenStore, StoreUnderTest } from '../message-store.contract.ts';

const READY_MS = 10_000;
const CAUGHT_UP_MS = 10_000;

const silent = { error: () => undefined, info: () => undefined, warn: () => undefined };

let streams = 0;

/** A store on `target` that is ready, closed when the test ends. Its stream is its own, so that stores can share a server. */
export async function openRedisStore(
  t: Pick<Test, 'teardown'>,
  target: RedisTarget,
  options: Partial<RedisStoreOptions> = {},
): Promise<RedisStore> {
  streams += 1;
  const store = new RedisStore({
    target,
    stream: `stream-${streams}`,
    searchIndex: undefined,
    retention: { maxLength: 1_000_000, maxAgeMs: 720 * 3_600_000 },
    acknowledge: 'memory',
    timeoutMs: 2000,
    clock: Date.now,
    log: silent,
    ...options,
  });
  t.teardown(() => store.close());
  await until(
    async () => (await store.status()).ready,
    READY_MS,
    (cause) => new Error('the store was never ready', { cause }),
  );
  return store;
}

/** Opens stores for the contract test; `connect` gives a client that is past the store. */
export function redisStores(target: RedisTarget, connect: () => RedisClient): OpenStore {
  return async (t, { clock, maxLength, maxAgeMs, searchIndex }): Promise<StoreUnderTest> => {
    const client = connect();
    t.teardown(() => client.disconnect());
    // The test travels in time, and the server's clock does not. As the server, ids never go back.
    let last = 0;
    const entryId = () => {
      last = Math.max(last, clock());
      return `${last}-*`;
    };
    const store = await openRedisStore(t, target, { clock, entryId, searchIndex, retention: { maxLength, maxAgeMs } });
    return {
      store,
      async entries() {
        // What is over leaves the stream when it is counted.
        await store.counts('all');
        const entries = await client.xrange(store.stream, '-', '+');
        return entries.map(([id, fields]) => ({ ...fieldsOf(fields), id }));
      },
      async finds(word) {
        const indexed = `frontdesk:{${store.stream}}:indexed:${searchIndex}`;
        const isUpToDate = async () => {
          const [[latest] = []] = await client.xrevrange(store.stream, '+', '-', 'COUNT', 1);
          const surplus = (await client.xlen(store.stream)) - maxLength;
          return surplus <= 0 && (await client.get(indexed)) === latest;
        };
        await until(isUpToDate, CAUGHT_UP_MS, (cause) => new Error('the index is never up to date', { cause }));
        const found: unknown = await client.call('FT.SEARCH', searchIndex ?? '', word, 'NOCONTENT');
        if (!Array.isArray(found)) throw new Error(`not an answer of FT.SEARCH: ${found}`);
        return found.slice(1).map((key) => String(key).split(':').at(-1) ?? '');
      },
    };
  };
}

export function standaloneTarget({ host, port }: { host: string; port: number }): RedisTarget {
  return { kind: 'standalone', host, port, db: 0 };
}

export function standaloneClient({ host, port }: { host: string; port: number }): Redis {
  // What search modules answer depends on the protocol.
  return new Redis({ host, port, protocol: 2 });
}

function fieldsOf(pairs: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let i = 0; i < pairs.length; i += 2) fields[pairs[i] ?? ''] = pairs[i + 1] ?? '';
  return fields;
}
