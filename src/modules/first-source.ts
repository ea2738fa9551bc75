type Content = AsyncIterable<Uint8Array>;
/** Whether, after such a failure, the next source is to be tried. */
type GoOn = (error: unknown) => boolean;

/** What the first source gives that gives anything. */
export async function firstResult<T>(sources: readonly (() => Promise<T>)[], goOn: GoOn): Promise<T> {
  for (const source of sources.slice(0, -1)) {
    try {
      return await source();
    } catch (error) {
      if (!goOn(error)) throw error;
    }
  }
  const last = sources.at(-1);
  if (last === undefined) throw new RangeError('no source');
  return last();
}

/** The content of the first source that can be opened. Once one has given something, the others are of no use any more. */
export async function* firstContent(sources: readonly (() => Content)[], goOn: GoOn): AsyncGenerator<Uint8Array> {
  for (const [index, source] of sources.entries()) {
    let begun = false;
    try {
      for await (const chunk of source()) {
        begun = true;
        yield chunk;
      }
      return;
    } catch (error) {
      if (begun || index === sources.length - 1 || !goOn(error)) throw error;
    }
  }
}
