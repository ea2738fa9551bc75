import { createReadStream } from 'node:fs';
import { readBounded } from '../modules/read-bounded.ts';
import { reasonOf } from '../reason-of.ts';
import { Failure } from './failure.ts';

/** Largest file, or standard input, that an option may name, in bytes. */
const MAX_INPUT_BYTES = 1_048_576;

/**
 * The text of `file`; `-` is standard input.
 * @param option names it in errors
 * @throws {Failure} if it cannot be read, or is too large.
 */
export async function readInput(file: string, option: string): Promise<string> {
  const tooMuch = () => new Error(`it has more than ${MAX_INPUT_BYTES} bytes`);
  try {
    const content: AsyncIterable<Uint8Array> = file === '-' ? process.stdin : createReadStream(file);
    return (await readBounded(content, MAX_INPUT_BYTES, tooMuch)).toString();
  } catch (cause) {
    throw new Failure('usage', `${option} ${file}: ${reasonOf(cause)}`, [], { cause });
  }
}
