import { digestOf } from './digest.ts';
import { ModuleError } from './module.ts';
import type { Descriptor } from './registry.ts';

/**
 * Reads content that must be exactly what its descriptor says, holding at most `limit` bytes.
 * @param what names the content in errors, e.g. `layer`.
 * @throws {ModuleError} `invalid` if size or digest differ or the limit is exceeded; reading stops at once.
 */
export async function readVerified(
  content: AsyncIterable<Uint8Array>,
  { digest, size }: Descriptor,
  { limit, what }: { limit: number; what: string },
): Promise<Buffer> {
  if (size > limit) throw new ModuleError('invalid', `${what} ${digest} has ${size} bytes, more than ${limit}`);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of content) {
    length += chunk.length;
    if (length > size) break;
    chunks.push(chunk);
  }
  if (length !== size) {
    const found = length > size ? 'more' : `${length}`;
    throw new ModuleError('invalid', `${what} ${digest} should have ${size} bytes, but has ${found}`);
  }
  const bytes = Buffer.concat(chunks, size);
  const actual = digestOf(bytes);
  if (actual !== digest) throw new ModuleError('invalid', `${what} ${digest} has other content: ${actual}`);
  return bytes;
}
