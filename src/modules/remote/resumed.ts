import { setTimeout as sleep } from 'node:timers/promises';
import type { BackOff } from '../../back-off.ts';
import { ConnectionError } from './connection-error.ts';

/** How often one body is begun. */
const MAX_STARTS = 3;

/**
 * The content of a body that is the same whenever it is asked for. Where a connection breaks in its midst, it is asked for
 * again, and what was handed out already is left out.
 */
export async function* resumed(
  open: () => Promise<AsyncIterable<Uint8Array>>,
  pause: BackOff,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let done = 0;
  for (let start = 1; ; start += 1) {
    const body = await open();
    try {
      for await (const chunk of from(done, body)) {
        done += chunk.length;
        yield chunk;
      }
      return;
    } catch (error) {
      if (!(error instanceof ConnectionError) || !error.mayPass || start === MAX_STARTS || signal.aborted) throw error;
    }
    await sleep(pause(start), undefined, { signal });
  }
}

async function* from(start: number, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let position = 0;
  for await (const chunk of content) {
    const left = chunk.subarray(Math.max(start - position, 0));
    position += chunk.length;
    if (left.length > 0) yield left;
  }
}
