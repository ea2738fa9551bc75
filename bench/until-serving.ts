import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 5;
const PATIENCE_MS = 30_000;

/**
 * Waits until `url`, served by `child`, answers 200.
 * @throws if the process ends or the time is up.
 */
export async function untilServing(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await answers(url))) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`the server of ${url} ended before it served`);
    }
    if (performance.now() > deadline) throw new Error(`${url} did not answer within ${PATIENCE_MS} ms`);
    await sleep(POLL_MS);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    // Nobody listens yet.
    return false;
  }
}
