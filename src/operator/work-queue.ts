import type { BackOff } from '../back-off.ts';

export interface WorkQueueOptions {
  /** Does what is to be done for a key, and gives the time after which it is to be done again, if it is. */
  work: (key: string) => Promise<number | undefined>;
  /** How many keys are worked on at once. */
  concurrency: number;
  /** Pause after a failure, in milliseconds. */
  backOff: BackOff;
  /** Told of each failure; the key is tried again later. */
  onFailure: (key: string, error: unknown) => void;
}

/**
 * Keys for which there is work. A key that is added again while it waits is worked on once; one that is added while it is
 * worked on is worked on once more after that, and never twice at a time.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #waiting = new Set<string>();
  readonly #later = new Map<string, NodeJS.Timeout>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #failures = new Map<string, number>();
  #closed = false;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  add(key: string): void {
    if (this.#closed) return;
    this.#cancel(key);
    this.#waiting.add(key);
    this.#pump();
  }

  /** What is left to do for the key is not done any more. */
  forget(key: string): void {
    this.#cancel(key);
    this.#waiting.delete(key);
    this.#failures.delete(key);
  }

  /** Starts nothing any more, and resolves when what runs has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#waiting.clear();
    for (const timer of this.#later.values()) clearTimeout(timer);
    this.#later.clear();
    await Promise.all(this.#running.values());
  }

  #pump(): void {
    for (const key of this.#waiting) {
      if (this.#running.size >= this.#options.concurrency) return;
      if (this.#running.has(key)) continue;
      this.#waiting.delete(key);
      this.#running.set(key, this.#run(key));
    }
  }

  async #run(key: string): Promise<void> {
    const again = await this.#attempt(key);
    this.#running.delete(key);
    if (this.#closed) return;
    if (again !== undefined && !this.#waiting.has(key)) this.#addLater(key, again);
    this.#pump();
  }

  async #attempt(key: string): Promise<number | undefined> {
    try {
      const again = await this.#options.work(key);
      this.#failures.delete(key);
      return again;
    } catch (error) {
      const failures = (this.#failures.get(key) ?? 0) + 1;
      this.#failures.set(key, failures);
      this.#options.onFailure(key, error);
      return this.#options.backOff(failures);
    }
  }

  #addLater(key: string, ms: number): void {
    this.#cancel(key);
    this.#later.set(
      key,
      setTimeout(() => this.add(key), ms),
    );
  }

  #cancel(key: string): void {
    clearTimeout(this.#later.get(key));
    this.#later.delete(key);
  }
}
