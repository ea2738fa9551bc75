import { readAll } from './read-all.ts';

/** What a promise, or the reading of some content, fails with; undefined if it does not. */
export async function failure(of: Promise<unknown> | AsyncIterable<Uint8Array>): Promise<unknown> {
  try {
    await (of instanceof Promise ? of : readAll(of));
    return undefined;
  } catch (error) {
    return error;
  }
}
