export interface TermOptions {
  /** Milliseconds that never go back. */
  monotonic: () => number;
  /** Until when it lasts, by `monotonic`, unless it is extended. */
  until: number;
  /** Called once, as soon as it ends. */
  onEnd: (reason: string) => void;
}

/** A time for which this process is the leader. It ends by itself unless it is extended, and never begins again. */
export class Term {
  readonly #options: TermOptions;
  readonly #ending = new AbortController();
  #until = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: TermOptions) {
    this.#options = options;
    this.extend(options.until);
  }

  /** Whether it lasts at this moment; right even before the timer that ends it gets its turn. */
  get held(): boolean {
    return !this.#ending.signal.aborted && this.#options.monotonic() < this.#until;
  }

  /** Aborted when it ends, for everything that only a leader may do. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** @throws if it does not last any more. */
  assertHeld(): void {
    if (!this.held) throw new Error('this process does not lead any more');
  }

  extend(until: number): void {
    this.#until = until;
    clearTimeout(this.#timer);
    const left = Math.max(0, until - this.#options.monotonic());
    this.#timer = setTimeout(() => this.end('the lease could not be renewed in time'), left);
  }

  end(reason: string): void {
    if (this.#ending.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#ending.abort(new Error(reason));
    this.#options.onEnd(reason);
  }
}
