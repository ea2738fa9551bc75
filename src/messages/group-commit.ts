/** Milliseconds between two tries of a commit that found the store locked. */
const RETRY_MS = 10;

export interface GroupCommitOptions<T, R> {
  /** Commits all items at once and returns one result each, in order; throws if it could not commit any. */
  commit: (items: readonly T[]) => R[];
  /** Whether an error of `commit` may be gone in a moment. */
  isTransient: (error: unknown) => boolean;
  /** The result of an item that could not be committed. */
  failed: (error: unknown) => R;
  /** Size of an item, in whatever unit `maxQueued` is in. */
  size: (item: T) => number;
  /** Items whose sizes add up to more than this do not wait; they fail. */
  maxQueued: number;
  /** Longest wait for a transient error to go away, in milliseconds. */
  timeoutMs: number;
}

interface Waiting<T, R> {
  items: readonly T[];
  size: number;
  since: number;
  resolve: (results: R[]) => void;
}

/**
 * Lets concurrent callers share one commit: whatever is added while the process handles one round of I/O is committed
 * together at its end. The cost of a disk flush is thereby shared by all requests of that round.
 */
export class GroupCommit<T, R> {
  readonly #options: GroupCommitOptions<T, R>;
  #waiting: Waiting<T, R>[] = [];
  #queued = 0;
  #scheduled = false;

  constructor(options: GroupCommitOptions<T, R>) {
    this.#options = options;
  }

  /** Never rejects: what cannot be committed has the result that `failed` makes. */
  add(items: readonly T[]): Promise<R[]> {
    const { size: sizeOf, maxQueued, failed } = this.#options;
    const size = items.reduce((sum, item) => sum + sizeOf(item), 0);
    if (this.#queued + size > maxQueued) {
      const error = new Error('too many messages are waiting for the store');
      return Promise.resolve(items.map(() => failed(error)));
    }
    return new Promise((resolve) => {
      this.#waiting.push({ items, size, since: performance.now(), resolve });
      this.#queued += size;
      if (!this.#scheduled) {
        this.#scheduled = true;
        setImmediate(() => this.#flush());
      }
    });
  }

  /** Commits what is waiting, now. */
  #flush(): void {
    this.#scheduled = false;
    const batch = this.#waiting;
    if (batch.length === 0) return;
    try {
      const results = this.#options.commit(batch.flatMap(({ items }) => items));
      this.#waiting = [];
      this.#queued = 0;
      let next = 0;
      for (const { items, resolve } of batch) {
        resolve(results.slice(next, next + items.length));
        next += items.length;
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Fails who cannot or must not wait any longer; tries again for the others. */
  #fail(error: unknown): void {
    const { isTransient, failed, timeoutMs } = this.#options;
    const transient = isTransient(error);
    const now = performance.now();
    const keep: Waiting<T, R>[] = [];
    for (const waiting of this.#waiting) {
      if (transient && now - waiting.since < timeoutMs) keep.push(waiting);
      else {
        this.#queued -= waiting.size;
        waiting.resolve(waiting.items.map(() => failed(error)));
      }
    }
    this.#waiting = keep;
    if (keep.length > 0) {
      this.#scheduled = true;
      setTimeout(() => this.#flush(), RETRY_MS);
    }
  }
}
