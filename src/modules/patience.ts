/** Ends, by its signal, what has not begun in time; what has begun may take longer. */
export class Patience {
  readonly signal: AbortSignal;
  readonly #timer: NodeJS.Timeout;
  readonly #onFailure: (error: unknown) => void;

  constructor(ms: number, signal: AbortSignal | undefined, onFailure: (error: unknown) => void = () => undefined) {
    const ending = new AbortController();
    this.signal = signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]);
    this.#timer = setTimeout(() => ending.abort(), ms);
    this.#onFailure = onFailure;
  }

  async until<T>(result: Promise<T>): Promise<T> {
    try {
      return await result;
    } catch (error) {
      this.#onFailure(error);
      throw error;
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
    } catch (error) {
      this.#onFailure(error);
      throw error;
    } finally {
      clearTimeout(this.#timer);
    }
  }
}
