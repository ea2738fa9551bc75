/** Milliseconds between two tries of a commit that found the store locked. */
const RETRY_MS = 10;

export interface GroupCommitOptions<T, R> {
  /**
   * Writes all items at once; returns, or resolves to, one result each, in order, when all that was written is as safe as
   * it is to be. Throws at once if it could not write any.
   */
  write: (items: readonly T[]) => R[] | Promise<R[]>;
  /** Whether an error of `write` may be gone in a moment. */
  isTransient: (error: unknown) => boolean;
  /** The result of an item that was not written, or is not known to be durable. */
  failed: (error: unknown) => R;
  /** Size of an item, in whatever unit `maxQueued` is in. */
  size: (item: T) => number;
  /** Items whose sizes add up to more than this do not wait; they fail. */
  maxQueued: number;
  /** Callers whose items make a batch of more than this wait for the next one; a caller's own items stay together. */
  maxBatch: number;
  /** Longest wait for a result, in milliseconds. */
  timeoutMs: number;
  /** Called when a write takes longer than the time limit; it is to see to it that the write ends. */
  giveUp: () => void;
}

interface Caller<T, R> {
  items: readonly T[];
  size: number;
  deadline: number;
  resolve: (results: R[]) => void;
}

/**
 * Lets concurrent callers share one write: what is added while the process handles one round of I/O, or while another
 * write is under way, is written together. The cost of a flush or a round trip is thereby shared, and nobody but those
 * who asked for it waits for it.
 */
export class GroupCommit<T, R> {
  readonly #options: GroupCommitOptions<T, R>;
  #waiting: Caller<T, R>[] = [];
  #inFlight: readonly Caller<T, R>[] = [];
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
      this.#waiting.push({ items, size, deadline: performance.now() + timeoutMs, resolve });
      this.#schedule();
    });
  }

  #schedule(): void {
    // While a write is under way a batch gathers, and is written when that is over: fewer and larger writes.
    if (this.#scheduled || this.#inFlight.length > 0) return;
    this.#scheduled = true;
    setImmediate(() => this.#write());
  }

  #write(): void {
    this.#scheduled = false;
    const batch = this.#nextBatch();
    if (batch.length === 0) return;
    try {
      const written = this.#options.write(batch.flatMap(({ items }) => items));
      this.#waiting = this.#waiting.slice(batch.length);
      this.#obstacle = undefined;
      this.#inFlight = batch;
      void this.#finish(batch, written);
    } catch (error) {
      this.#retryOrFail(batch, error);
    }
  }

  /** As many of those who wait as make a batch, and at least the first. */
  #nextBatch(): Caller<T, R>[] {
    let items = 0;
    const end = this.#waiting.findIndex((caller, i) => {
      items += caller.items.length;
      return i > 0 && items > this.#options.maxBatch;
    });
    return end === -1 ? this.#waiting : this.#waiting.slice(0, end);
  }

  async #finish(batch: readonly Caller<T, R>[], written: R[] | Promise<R[]>): Promise<void> {
    try {
      const results = await written;
      let next = 0;
      for (const caller of batch) {
        this.#settle(caller, results.slice(next, next + caller.items.length));
        next += caller.items.length;
      }
    } catch (error) {
      for (const caller of batch) this.#fail(caller, error);
    }
    this.#inFlight = [];
    if (!this.#scheduled) this.#write();
  }

  #retryOrFail(batch: readonly Caller<T, R>[], error: unknown): void {
    if (this.#options.isTransient(error)) {
      this.#obstacle = error;
      this.#scheduled = true;
      setTimeout(() => this.#write(), RETRY_MS);
      return;
    }
    for (const caller of batch) this.#fail(caller, error);
    this.#waiting = this.#waiting.slice(batch.length);
    if (this.#waiting.length > 0) this.#write();
  }

  /** Answers those whose time is up, until nobody waits. What is written may still become durable; its callers are told as much. */
  #expire(): void {
    const now = performance.now();
    const isDue = ({ deadline }: Caller<T, R>) => deadline <= now;
    const reason = this.#obstacle ?? new Error('no answer within the time limit');
    for (const caller of this.#waiting.filter(isDue)) this.#fail(caller, reason);
    this.#waiting = this.#waiting.filter((caller) => !isDue(caller));
    const overdue = this.#inFlight.filter(isDue);
    for (const caller of overdue) this.#fail(caller, new Error('no answer within the time limit, outcome unknown'));
    if (overdue.length > 0) this.#options.giveUp();
    if (this.#waiting.length > 0 || this.#inFlight.length > 0) return;
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
