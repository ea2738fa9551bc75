import type { ChainableCommander } from 'ioredis';
import { reasonOf } from '../../reason-of.ts';
import type { RedisClient } from './connect-redis.ts';

/** What must have happened to a message before it is acknowledged; `STREAM_ACK`. */
export type AckMode = 'memory' | 'fsync' | `replica:${number}`;

/** @throws if `text` is none; configuration is checked before. */
export function parseAckMode(text: string): AckMode {
  const replicas = /^replica:(\d+)$/.exec(text)?.[1];
  if (replicas !== undefined) return `replica:${Number(replicas)}`;
  if (text === 'memory' || text === 'fsync') return text;
  throw new Error(`STREAM_ACK: ${text} is unknown`);
}

/** How a batch makes sure that what it wrote is as safe as it was asked to be. */
export interface Acknowledgement {
  /** Adds to the end of `batch` what waits for it, if anything must. */
  await(batch: ChainableCommander): void;
  /** Why it is not as safe as that, judging by the answer to what `await` added. */
  shortfall(answer: unknown): string | undefined;
}

/** By the server's answer to the write itself. */
export const atOnce: Acknowledgement = { await: () => undefined, shortfall: () => undefined };

/**
 * Finds out how `client` can acknowledge as `mode` asks for. Waiting takes at most `timeoutMs`.
 * https://redis.io/docs/latest/commands/waitaof/, https://redis.io/docs/latest/commands/wait/
 * @throws if the server cannot do it, naming what it would need.
 */
export async function acknowledgementOf(
  client: RedisClient,
  mode: AckMode,
  timeoutMs: number,
): Promise<Acknowledgement> {
  if (mode === 'memory') return atOnce;
  if (mode !== 'fsync') return ofReplicas(Number(mode.split(':')[1]), timeoutMs);

  const [aof, fsync] = [await setting(client, 'appendonly'), await setting(client, 'appendfsync')];
  if (aof === 'yes' && fsync === 'always') return atOnce;
  if (aof === 'no') throw new Error('STREAM_ACK=fsync needs a server with an append-only file: appendonly yes');
  if (await knows(client, 'WAITAOF')) return ofAppendOnlyFile(timeoutMs);
  throw new Error('STREAM_ACK=fsync needs WAITAOF (Redis 7.2, Valkey 7.2), or a server with appendfsync always');
}

function ofReplicas(replicas: number, timeoutMs: number): Acknowledgement {
  return {
    await: (batch) => batch.wait(replicas, timeoutMs),
    shortfall: (answer) =>
      Number(answer) >= replicas ? undefined : `only ${answer} of ${replicas} replicas have it so far`,
  };
}

function ofAppendOnlyFile(timeoutMs: number): Acknowledgement {
  return {
    await: (batch) => batch.call('WAITAOF', '1', '0', String(timeoutMs)),
    shortfall: (answer) => (Array.isArray(answer) && answer[0] === 1 ? undefined : 'it is not on disk so far'),
  };
}

/** A setting of the server; undefined where it may not be read. */
async function setting(client: RedisClient, name: string): Promise<string | undefined> {
  try {
    const answer: unknown = await client.call('CONFIG', 'GET', name);
    return Array.isArray(answer) && typeof answer[1] === 'string' ? answer[1] : undefined;
  } catch (error) {
    // Managed servers and restricted users have no CONFIG.
    if (/unknown command|NOPERM/i.test(reasonOf(error))) return undefined;
    throw error;
  }
}

async function knows(client: RedisClient, command: string): Promise<boolean> {
  const answer: unknown = await client.call('COMMAND', 'INFO', command);
  return Array.isArray(answer) && Array.isArray(answer[0]);
}
