/** Milliseconds between two tries of a commit that found the store locked. */
const RETRY_MS = 10;

export interface GroupCommitOptions<T, R> {
  /** Writes all items at once and returns one result each, in order; throws if it could not write any. */
  write: (items: readonly T[]) => R[];
  /** Makes all that was written before the call durable. */
  flush: () => Promise<void> | undefined;
  /** Whether an error of `write` may be gone in a moment. */
  isTransient: (error: unknown) => boolean;
  /** The result of an item that was not written, or is not known to be durable. */
  failed: (error: unknown) => R;
  /** Size of an item, in whatever unit `maxQueued` is in. */
  size: (item: T) => number;
  /** Items whose sizes add up to more than this do not wait; they fail. */
  maxQueued: number;
  /** Longest wait for a result, in milliseconds. */
  timeoutMs: number;
}

interface Caller<T, R> {
  items: readonly T[];
  size: number;
  deadline: number;
  /** Set once written. */
  results: R[];
  resolve: (results: R[]) => void;
}

/**
 * Lets concurrent callers share one commit: what is added while the process handles one round of I/O, or while the disk
 * is being flushed, is written and flushed together. The cost of a flush is thereby shared, and nobody but those who
 * asked for it waits for the disk.
 */
export class GroupCommit<T, R> {
  readonly #options: GroupCommitOptions<T, R>;
  #waiting: Caller<T, R>[] = [];
  #flushing: Caller<T, R>[] = [];
  #queued = 0;
  #scheduled = false;
  #watch: NodeJS.Timeout | undefined;
  /** Why the latest write is being tried again. */
  #obstacle: unknown;

  constructor(options: GroupCommitOptions<T, R>) {
    this.#options = options;
  }

  /** Never rejects, and takes no longer than the time limit. */
  add(items: readonly T[]): Promise<R[]> {
    const { size: sizeOf, maxQueued, failed, timeoutMs } = this.#options;
    let size = 0;
    for (const item of items) size += sizeOf(item);
    if (this.#queued + size > maxQueued) {
      const error = new Error('too many messages are waiting for the store');
      return Promise.resolve(items.map(() => failed(error)));
    }
    this.#queued += size;
    this.#watch ??= setInterval(() => this.#expire(), timeoutMs / 10);
    return new Promise((resolve) => {
      this.#waiting.push({ items, size, deadline: performance.now() + timeoutMs, results: [], resolve });
      // While a flush is under way a batch gathers, and is written when it is over: fewer and larger transactions.
      if (this.#scheduled || this.#flushing.length > 0) return;
      this.#scheduled = true;
      setImmediate(() => this.#write());
    });
  }

  #write(): void {
    this.#scheduled = false;
    const batch = this.#waiting;
    if (batch.length === 0) return;
    try {
      const results = this.#options.write(batch.flatMap(({ items }) => items));
      let next = 0;
      for (const caller of batch) {
        caller.results = results.slice(next, next + caller.items.length);
        next += caller.items.length;
      }
      this.#waiting = [];
      this.#obstacle = undefined;
      this.#flushing = batch;
      void this.#flush();
    } catch (error) {
      this.#retryOrFail(error);
    }
  }

  async #flush(): Promise<void> {
    try {
      await this.#options.flush();
      for (const caller of this.#flushing) this.#settle(caller, caller.results);
    } catch (error) {
      for (const caller of this.#flushing) this.#fail(caller, error);
    }
    this.#flushing = [];
    if (this.#waiting.length > 0) this.#write();
  }

  #retryOrFail(error: unknown): void {
    if (this.#options.isTransient(error)) {
      this.#obstacle = error;
      this.#scheduled = true;
      setTimeout(() => this.#write(), RETRY_MS);
      return;
    }
    for (const caller of this.#waiting) this.#fail(caller, error);
    this.#waiting = [];
  }

  /** Answers those whose time is up, until nobody waits. What is written may still become durable; its callers are told as much. */
  #expire(): void {
    const now = performance.now();
    const isDue = ({ deadline }: Caller<T, R>) => deadline <= now;
    const reason = this.#obstacle ?? new Error('no answer within the time limit');
    for (const caller of this.#waiting.filter(isDue)) this.#fail(caller, reason);
    this.#waiting = this.#waiting.filter((caller) => !isDue(caller));
    for (const caller of this.#flushing.filter(isDue)) {
      this.#fail(caller, new Error('no answer within the time limit, outcome unknown'));
    }
    if (this.#waiting.length > 0 || this.#flushing.length > 0) return;
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  #fail(caller: Caller<T, R>, error: unknown): void {
    const result = this.#options.failed(error);
    this.#settle(
      caller,
      caller.items.map(() => result),
    );
  }

  /** Only the first settling of a caller counts. */
  #settle(caller: Caller<T, R>, results: R[]): void {
    this.#queued -= caller.size;
    caller.size = 0;
    caller.resolve(results);
  }
}
