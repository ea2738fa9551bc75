import type { FastifyBaseLogger } from 'fastify';

/** Shortest time between two lines, in milliseconds. */
const PAUSE_MS = 1000;

/** Tells that messages are refused, and when that is over: in a line a second at most, however many are refused. */
export class RefusalLog {
  readonly #log: Pick<FastifyBaseLogger, 'error' | 'info'>;
  #untold = 0;
  #total = 0;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(log: Pick<FastifyBaseLogger, 'error' | 'info'>) {
    this.#log = log;
  }

  refused(messages: number, reason: string): void {
    this.#untold += messages;
    this.#total += messages;
    if (performance.now() - this.#toldAt < PAUSE_MS) return;
    this.#toldAt = performance.now();
    this.#log.error({ messages: this.#untold, reason }, 'messages could not be stored');
    this.#untold = 0;
  }

  /** Messages are stored: again, if any were refused before. */
  stored(): void {
    if (this.#total === 0) return;
    this.#log.info({ refused: this.#total }, 'messages are stored again');
    this.#untold = 0;
    this.#total = 0;
    this.#toldAt = Number.NEGATIVE_INFINITY;
  }
}
