/** Milliseconds between two tries of a commit that found the store locked. */
const RETRY_MS = 10;

export interface GroupCommitOptions<T, R> {
  /**
   * Writes all items at once, or throws at once if it could not write any. Later it tells the result of each by its index,
   * when that is as safe as it is to be, and resolves; or rejects, where those not told of have failed.
   */
  write: (items: readonly T[], tell: (index: number, result: R) => void) => Promise<void>;
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
  /** While so many items are being written no other write begins. With 1 there is one write at a time. */
  maxInFlight: () => number;
  /** Longest wait for a result, in milliseconds. */
  timeoutMs: number;
  /** Called when a write takes longer than the time limit; it is to see to it that the write ends. */
  giveUp: () => void;
}

interface Caller<T, R> {
  items: readonly T[];
  size: number;
  deadline: number;
  /** Where its items begin in its batch. */
  first: number;
  results: R[];
  /** Results that are not known so far; of no items that is the end of the write. */
  missing: number;
  answered: Promise<R[]>;
  resolve: (results: R[]) => void;
}

/**
 * Lets concurrent callers share one write: what is added while the process handles one round of I/O, or while no other
 * write may begin, is written together. The cost of a flush or a round trip is thereby shared, and nobody but those
 * who asked for it waits for it.
 */
export class GroupCommit<T, R> {
  readonly #options: GroupCommitOptions<T, R>;
  #waiting: Caller<T, R>[] = [];
  /** Whose writes are not over. */
  readonly #writes = new Set<readonly Caller<T, R>[]>();
  /** Items of those writes. */
  #inFlight = 0;
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
    const { promise: answered, resolve } = Promise.withResolvers<R[]>();
    const deadline = performance.now() + timeoutMs;
    this.#waiting.push({ items, size, deadline, first: 0, results: [], missing: items.length || 1, answered, resolve });
    this.#schedule();
    return answered;
  }

  /** Resolves when everything that was added before has its result. */
  async idle(): Promise<void> {
    await Promise.all([...this.#unanswered(), ...this.#waiting].map(({ answered }) => answered));
  }

  #schedule(): void {
    if (this.#scheduled || this.#waiting.length === 0 || !this.#mayWrite()) return;
    this.#scheduled = true;
    setImmediate(() => this.#write());
  }

  #mayWrite(): boolean {
    return this.#inFlight < this.#options.maxInFlight();
  }

  #write(): void {
    this.#scheduled = false;
    const batch = this.#nextBatch();
    if (batch.length === 0 || !this.#mayWrite()) return;
    const { items, tell } = this.#join(batch);
    try {
      const written = this.#options.write(items, tell);
      this.#waiting = this.#waiting.slice(batch.length);
      this.#obstacle = undefined;
      void this.#finish(batch, items.length || 1, written);
      this.#schedule();
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

  /** The items of all callers, and what gives the result of each to whose it is. */
  #join(batch: readonly Caller<T, R>[]) {
    const items: T[] = [];
    const owners: Caller<T, R>[] = [];
    for (const caller of batch) {
      caller.first = items.length;
      for (const item of caller.items) {
        items.push(item);
        owners.push(caller);
      }
    }
    const tell = (index: number, result: R) => {
      const owner = owners[index] as Caller<T, R>;
      owner.results[index - owner.first] = result;
      owner.missing -= 1;
      if (owner.missing === 0) this.#settle(owner, owner.results);
    };
    return { items, tell };
  }

  async #finish(batch: readonly Caller<T, R>[], size: number, written: Promise<void>): Promise<void> {
    this.#writes.add(batch);
    this.#inFlight += size;
    try {
      await written;
      for (const caller of batch) if (caller.items.length === 0) this.#settle(caller, []);
    } catch (error) {
      for (const caller of batch) this.#fail(caller, error);
    }
    this.#writes.delete(batch);
    this.#inFlight -= size;
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
    const overdue = this.#unanswered().filter(isDue);
    for (const caller of overdue) this.#fail(caller, new Error('no answer within the time limit, outcome unknown'));
    if (overdue.length > 0) this.#options.giveUp();
    if (this.#waiting.length > 0 || this.#unanswered().length > 0) return;
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  /** Those whose items are being written. */
  #unanswered(): Caller<T, R>[] {
    return [...this.#writes].flat().filter(({ missing }) => missing > 0);
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
    caller.missing = 0;
    caller.resolve(results);
  }
}
