/**
 * Reads content whole.
 * @throws what `tooMuch` makes, as soon as there are more than `limit` bytes.
 */
export async function readBounded(
  content: AsyncIterable<Uint8Array>,
  limit: number,
  tooMuch: () => Error,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of content) {
    length += chunk.length;
    if (length > limit) throw tooMuch();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
