import type { FastifyBaseLogger } from 'fastify';

/** A reason that did not come up for so long is told again, in milliseconds: longer than the slowest retry takes. */
const FORGET_MS = 300_000;
/** Reasons that are remembered; they name hosts, of which there are a few. */
const MAX_REASONS = 100;

/** Why a connection went where nobody says why; sentinels may name a server that is no master. */
export const UNEXPLAINED = 'the server closed the connection, or is not ready to take writes';

/** Tells of the outages of a connection that retries for ever: each reason once, however often it comes up again. */
export class OutageLog {
  readonly #connection: string;
  readonly #log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  readonly #lastSeen = new Map<string, number>();
  #explained = false;

  constructor(connection: string, log: Pick<FastifyBaseLogger, 'info' | 'warn'>) {
    this.#connection = connection;
    this.#log = log;
  }

  /** Whether it was told why the latest attempt failed. */
  get isExplained(): boolean {
    return this.#explained;
  }

  failed(reason: string): void {
    this.#explained = true;
    const now = performance.now();
    const lastSeen = this.#lastSeen.get(reason) ?? Number.NEGATIVE_INFINITY;
    if (this.#lastSeen.size >= MAX_REASONS) this.#lastSeen.clear();
    this.#lastSeen.set(reason, now);
    if (now - lastSeen > FORGET_MS) this.#log.warn({ connection: this.#connection, reason }, 'Redis cannot be reached');
  }

  /** The next attempt is due. */
  retrying(): void {
    if (!this.#explained) this.failed(UNEXPLAINED);
    this.#explained = false;
  }

  over(): void {
    if (this.#lastSeen.size > 0) this.#log.info({ connection: this.#connection }, 'connected to Redis again');
    this.#lastSeen.clear();
    this.#explained = false;
  }
}
