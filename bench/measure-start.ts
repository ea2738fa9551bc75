import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';
import { median } from './median.ts';
import { lastDescendant, residentMegabytes } from './process-usage.ts';
import { untilServing } from './until-serving.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** How long the server is left alone before its memory is read, in milliseconds. */
const IDLE_MS = 5000;

export interface Start {
  /** From `npm start`, with everything installed, to the first 200 of `/health`. */
  seconds: number;
  /** Resident memory of the idle server; undefined where the system does not tell. */
  megabytes: number | undefined;
}

/** Starts the service `rounds` times as a person does; medians. `dir` is for its state. */
export async function measureStart(rounds: number, dir: string): Promise<Start> {
  const starts: Start[] = [];
  for (let round = 0; round < rounds; round++) starts.push(await startOnce(join(dir, String(round))));
  const megabytes = starts.map((start) => start.megabytes).filter((value) => value !== undefined);
  return {
    seconds: median(starts.map(({ seconds }) => seconds)),
    megabytes: megabytes.length === 0 ? undefined : median(megabytes),
  };
}

async function startOnce(dataDir: string): Promise<Start> {
  const port = await freePort();
  const startedAt = performance.now();
  // A process group of its own, to end npm and what it started together.
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  });
  const gone = once(npm, 'exit');
  try {
    await untilServing(`http://127.0.0.1:${port}/health`, npm);
    const seconds = (performance.now() - startedAt) / 1000;
    await sleep(IDLE_MS);
    return { seconds, megabytes: npm.pid === undefined ? undefined : residentMegabytes(lastDescendant(npm.pid)) };
  } finally {
    if (npm.pid !== undefined && npm.exitCode === null) process.kill(-npm.pid, 'SIGTERM');
    await gone;
  }
}
