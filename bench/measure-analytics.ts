import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { RedisStore } from '../src/messages/redis/redis-store.ts';
import { openSqliteStore } from '../src/messages/sqlite-store.ts';
import { startRedis } from '../test/redis/redis-server.ts';
import { fillStore } from './fill-store.ts';
import { type Figures, measure } from './measure.ts';
import type { Options } from './options.ts';
import { token } from './rows.ts';
import { startServer } from './server-process.ts';

/** Messages of the smaller store. */
export const FEW_MESSAGES = 10_000;
/** Most messages that a store keeps here: more than any is filled with. */
const MAX_LENGTH = 1_000_000_000;

/** Where the messages are kept. */
export type Kept = 'embedded' | 'redis';

/** Measures the summary over few and over many messages of the last 24 hours. `dir` is for the stores; they are deleted. */
export async function measureAnalytics(
  kept: Kept,
  options: Options,
  dir: string,
): Promise<Record<'few' | 'many', Figures>> {
  const { seconds, rounds, messages } = options;
  await using started = new AsyncDisposableStack();
  started.defer(async () => rmSync(dir, { recursive: true, force: true }));
  const startWith = async (name: string, count: number) => {
    const filled = kept === 'redis' ? await filledRedis(started, count) : await filledFolder(join(dir, name), count);
    const env = { AUTH_TOKEN: token, DATA_DIR: join(dir, name), STREAM_MAXLEN: String(MAX_LENGTH), ...filled };
    const server = await startServer({ entry: 'src/main.ts', env });
    started.defer(() => server.stop());
    return server;
  };
  const servers = { few: await startWith('few', FEW_MESSAGES), many: await startWith('many', messages) };
  const request = {
    method: 'GET',
    path: `/analytics/summary?window=${windowOfMostMinutes(new Date())}`,
    headers: { authorization: `Bearer ${token}` },
  } as const;
  return await measure(servers, { request, connections: 1, seconds, rounds });
}

const common = {
  stream: 'messages',
  searchIndex: undefined,
  retention: { maxLength: MAX_LENGTH, maxAgeMs: 30 * 24 * 3_600_000 },
  timeoutMs: 2000,
  log: { error: console.error, warn: console.error, info: () => undefined },
};

/** @returns the variables that point the service at what was filled; as `filledRedis`. */
async function filledFolder(dataDir: string, count: number): Promise<Record<string, string>> {
  await fillStore(count, (clock) => openSqliteStore({ ...common, dataDir, clock }));
  return {};
}

async function filledRedis(started: AsyncDisposableStack, count: number): Promise<Record<string, string>> {
  const { host, port } = await startRedis({ teardown: (end) => started.defer(async () => end()) });
  await fillStore(count, (clock) => {
    const target = { kind: 'standalone', host, port, db: 0 } as const;
    return new RedisStore({ ...common, target, acknowledge: 'memory', clock, entryId: () => `${clock()}-*` });
  });
  return { STREAM_ADDR: host, STREAM_PORT: String(port) };
}

/**
 * The window of up to 24 h that starts just after a full hour. Counts are kept by minutes and by whole hours; this start
 * leaves the most minutes to be read one by one, so that the figure does not depend on when in the hour it is taken.
 */
function windowOfMostMinutes(now: Date): string {
  const minutesBack = (now.getUTCMinutes() + 59) % 60;
  return `${23 * 60 + minutesBack}m`;
}
