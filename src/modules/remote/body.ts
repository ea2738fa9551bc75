import { ModuleError } from '../module.ts';
import { readBounded } from '../read-bounded.ts';
import type { Answer } from './exchange.ts';

/** What is read of a body that nobody needs, so that its connection can be used again; beyond that it is closed. */
const MAX_DISCARDED_BYTES = 65_536;

/**
 * Reads a whole body.
 * @throws {ModuleError} `unavailable` if it has more than `limit` bytes.
 */
export function readBody({ body, url }: Answer, limit: number): Promise<Buffer> {
  const tooMuch = () => new ModuleError('unavailable', `registry ${url.host} answers more than ${limit} bytes`);
  return readBounded(body, limit, tooMuch);
}

/** Lets go of an answer whose body is of no interest. */
export async function discard({ body }: Answer): Promise<void> {
  let length = 0;
  try {
    for await (const chunk of body) {
      length += chunk.length;
      if (length > MAX_DISCARDED_BYTES) break;
    }
  } catch {
    // The answer's status is what counts, and it is there already.
  } finally {
    body.destroy();
  }
}
