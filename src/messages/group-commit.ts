import { setImmediate as roundOfIo } from 'node:timers/promises';

export interface GroupCommitOptions<T, R> {
  /** Commits all items at once and resolves with one result each, in order; rejects if it could not commit any. */
  commit: (items: readonly T[]) => Promise<R[]>;
  /** The result of an item that could not be committed. */
  failed: (error: unknown) => R;
  /** Size of an item, in whatever unit `maxQueued` is in. */
  size: (item: T) => number;
  /** Items whose sizes add up to more than this do not wait; they fail. */
  maxQueued: number;
  /** Longest wait for a result, in milliseconds. */
  timeoutMs: number;
}

interface Waiting<T, R> {
  items: readonly T[];
  size: number;
  deadline: number;
  resolve: (results: R[]) => void;
}

/**
 * Lets concurrent callers share one commit: whatever is added while one commit is under way goes into the next. The
 * cost of a disk flush is thereby shared by all who wait for it. One commit at a time, so the order is kept.
 */
export class GroupCommit<T, R> {
  readonly #options: GroupCommitOptions<T, R>;
  #waiting: Waiting<T, R>[] = [];
  #committing: Waiting<T, R>[] = [];
  #queued = 0;
  #running = false;

  constructor(options: GroupCommitOptions<T, R>) {
    this.#options = options;
  }

  /** Never rejects, and takes no longer than the time limit: what is not committed has the result that `failed` makes. */
  add(items: readonly T[]): Promise<R[]> {
    const { size: sizeOf, maxQueued, failed, timeoutMs } = this.#options;
    let size = 0;
    for (const item of items) size += sizeOf(item);
    if (this.#queued + size > maxQueued) {
      const error = new Error('too many messages are waiting for the store');
      return Promise.resolve(items.map(() => failed(error)));
    }
    this.#queued += size;
    return new Promise((resolve) => {
      this.#waiting.push({ items, size, deadline: performance.now() + timeoutMs, resolve });
      if (!this.#running) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    const watch = setInterval(() => this.#expire(), this.#options.timeoutMs / 10).unref();
    // Requests that came with the same round of I/O share the first commit.
    await roundOfIo();
    while (this.#waiting.length > 0) {
      this.#committing = this.#waiting;
      this.#waiting = [];
      await this.#commit(this.#committing);
    }
    clearInterval(watch);
    this.#running = false;
  }

  async #commit(batch: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const results = await this.#options.commit(batch.flatMap(({ items }) => items));
      let next = 0;
      for (const waiting of batch) {
        this.#settle(waiting, results.slice(next, next + waiting.items.length));
        next += waiting.items.length;
      }
    } catch (error) {
      for (const waiting of batch) this.#fail(waiting, error);
    }
    this.#committing = [];
  }

  /** Answers those whose time is up. What is being committed may still succeed; its callers are told as much. */
  #expire(): void {
    const now = performance.now();
    const isDue = ({ deadline }: Waiting<T, R>) => deadline <= now;
    const due = this.#waiting.filter(isDue);
    this.#waiting = this.#waiting.filter((waiting) => !isDue(waiting));
    for (const waiting of due) this.#fail(waiting, new Error('no answer within the time limit'));
    for (const waiting of this.#committing.filter(isDue)) {
      this.#fail(waiting, new Error('no answer within the time limit, outcome unknown'));
    }
  }

  #fail(waiting: Waiting<T, R>, error: unknown): void {
    const result = this.#options.failed(error);
    this.#settle(
      waiting,
      waiting.items.map(() => result),
    );
  }

  /** Only the first settling of a waiting caller counts. */
  #settle(waiting: Waiting<T, R>, results: R[]): void {
    this.#queued -= waiting.size;
    waiting.size = 0;
    waiting.resolve(results);
  }
}
