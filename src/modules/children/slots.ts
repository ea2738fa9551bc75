/** All places are taken, and so are those in the queue; or the wait took too long. */
export class BusyError extends Error {}

export interface SlotLimits {
  /** How many may work at the same time. */
  size: number;
  /** How many may wait for that. */
  waiting: number;
  /** How long each of them waits, in milliseconds. */
  waitMs: number;
}

/** Numbered places for a bounded number of workers; who comes later waits in a bounded queue. */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #free: number[];
  readonly #queue: ((slot: number) => void)[] = [];

  constructor(limits: SlotLimits) {
    this.#limits = limits;
    this.#free = Array.from({ length: limits.size }, (_, slot) => slot);
  }

  /**
   * Works in a place that no one else has for that time.
   * @throws {BusyError}
   */
  async use<T>(work: (slot: number) => Promise<T>): Promise<T> {
    const slot = this.#free.pop() ?? (await this.#wait());
    try {
      return await work(slot);
    } finally {
      const next = this.#queue.shift();
      if (next === undefined) this.#free.push(slot);
      else next(slot);
    }
  }

  #wait(): Promise<number> {
    const { size, waiting, waitMs } = this.#limits;
    if (this.#queue.length >= waiting) throw new BusyError(`${size} at work and ${waiting} waiting are the most`);
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const enter = (slot: number) => {
      clearTimeout(timer);
      resolve(slot);
    };
    const timer = setTimeout(() => {
      this.#queue.splice(this.#queue.indexOf(enter), 1);
      reject(new BusyError(`no place became free within ${waitMs} ms`));
    }, waitMs);
    this.#queue.push(enter);
    return promise;
  }
}
