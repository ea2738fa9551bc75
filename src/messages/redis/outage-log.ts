import type { FastifyBaseLogger } from 'fastify';

/** A reason that did not come up for so long is told again, in milliseconds: longer than the slowest retry takes. */
const FORGET_MS = 300_000;
/** Reasons that are remembered; they name hosts, of which there are a few. */
const MAX_REASONS = 100;

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

  failed(message: string): void {
    this.#explained = true;
    const reason = withoutArguments(message);
    const now = performance.now();
    const lastSeen = this.#lastSeen.get(reason) ?? Number.NEGATIVE_INFINITY;
    if (this.#lastSeen.size >= MAX_REASONS) this.#lastSeen.clear();
    this.#lastSeen.set(reason, now);
    if (now - lastSeen > FORGET_MS) this.#log.warn({ connection: this.#connection, reason }, 'Redis cannot be reached');
  }

  /** The next attempt is due: a reason nobody gave is that the other end closed the connection, or was not what it should be. */
  retrying(): void {
    if (!this.#explained) this.failed('the server closed the connection, or is not ready to take writes');
    this.#explained = false;
  }

  over(): void {
    if (this.#lastSeen.size > 0) this.#log.info({ connection: this.#connection }, 'connected to Redis again');
    this.#lastSeen.clear();
    this.#explained = false;
  }
}

/** A server that does not know a command repeats its arguments, of which one may be a password. */
function withoutArguments(message: string): string {
  return message.replace(/,? with args beginning with.*/s, '');
}
