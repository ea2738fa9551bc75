/** Ends, by its signal, what has not begun in time; what has begun may take longer. */
export class Patience {
  readonly signal: AbortSignal;
  readonly #timer: NodeJS.Timeout;

  constructor(ms: number, signal: AbortSignal | undefined) {
    const ending = new AbortController();
    this.signal = signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]);
    this.#timer = setTimeout(() => ending.abort(), ms);
  }

  async until<T>(result: Promise<T>): Promise<T> {
    try {
      return await result;
    } finally {
      clearTimeout(this.#timer);
    }
  }

  async *untilFirst(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of content) {
        clearTimeout(this.#timer);
        yield chunk;
      }
    } finally {
      clearTimeout(this.#timer);
    }
  }
}
