import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fillStore } from './fill-store.ts';
import { type Figures, measure } from './measure.ts';
import type { Options } from './options.ts';
import { token } from './rows.ts';
import { type ServerProcess, startServer } from './server-process.ts';

/** Messages of the smaller store. */
export const FEW_MESSAGES = 10_000;

/** Measures the summary over few and over many messages of the last 24 hours. `dir` is for the stores; they are deleted. */
export async function measureAnalytics(options: Options, dir: string): Promise<Record<'few' | 'many', Figures>> {
  const { seconds, rounds, messages } = options;
  const started: ServerProcess[] = [];
  const startWith = async (name: string, count: number) => {
    const dataDir = join(dir, name);
    await fillStore(dataDir, count);
    const env = { AUTH_TOKEN: token, DATA_DIR: dataDir, STREAM_MAXLEN: '1000000000' };
    const server = await startServer({ entry: 'src/main.ts', env });
    started.push(server);
    return server;
  };
  try {
    const servers = { few: await startWith('few', FEW_MESSAGES), many: await startWith('many', messages) };
    const request = {
      method: 'GET',
      path: `/analytics/summary?window=${windowOfMostMinutes(new Date())}`,
      headers: { authorization: `Bearer ${token}` },
    } as const;
    return await measure(servers, { request, connections: 1, seconds, rounds });
  } finally {
    for (const server of started) await server.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * The window of up to 24 h that starts just after a full hour. Counts are kept by minutes and by whole hours; this start
 * leaves the most minutes to be read one by one, so that the figure does not depend on when in the hour it is taken.
 */
function windowOfMostMinutes(now: Date): string {
  const minutesBack = (now.getUTCMinutes() + 59) % 60;
  return `${23 * 60 + minutesBack}m`;
}
