import type { FastifyBaseLogger } from 'fastify';

/** Shortest time between two lines of one reason, in milliseconds. */
const PAUSE_MS = 1000;
/** Reasons that are told apart at once; there are a few. */
const MAX_REASONS = 20;

/** Tells that messages are refused, and when that is over: each reason once a second at most, however many are refused. */
export class RefusalLog {
  readonly #log: Pick<FastifyBaseLogger, 'error' | 'info'>;
  readonly #reasons = new Map<string, { untold: number; toldAt: number }>();
  #total = 0;

  constructor(log: Pick<FastifyBaseLogger, 'error' | 'info'>) {
    this.#log = log;
  }

  refused(messages: number, reason: string): void {
    this.#total += messages;
    const { untold, toldAt } = this.#reasons.get(reason) ?? { untold: 0, toldAt: Number.NEGATIVE_INFINITY };
    const now = performance.now();
    const isDue = now - toldAt >= PAUSE_MS;
    if (isDue) this.#log.error({ messages: untold + messages, reason }, 'messages could not be stored');
    if (this.#reasons.size >= MAX_REASONS) this.#reasons.clear();
    this.#reasons.set(reason, isDue ? { untold: 0, toldAt: now } : { untold: untold + messages, toldAt });
  }

  /** Messages are stored: again, if any were refused before. */
  stored(): void {
    if (this.#total === 0) return;
    this.#log.info({ refused: this.#total }, 'messages are stored again');
    this.#reasons.clear();
    this.#total = 0;
  }
}
