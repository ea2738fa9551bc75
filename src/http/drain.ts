import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

export interface DrainOptions {
  /** How long the server goes on listening and serving after `close` was called, in milliseconds. */
  delayMs: number;
  /** What others wait for; begun at once, beside the delay. */
  handOver: () => Promise<void>;
}

export interface Drain {
  /** Whether `close` was called. */
  readonly stopping: boolean;
}

/**
 * Stops a server such that no client notices: load balancers learn only after a while that it stops, and send it requests
 * until then. It serves them, and tells the client of each to take another connection next time: Fastify adds
 * `Connection: close` once `close` was called. Only then it takes no new connections, and finishes what is in flight.
 */
export function drain(app: FastifyInstance, { delayMs, handOver }: DrainOptions): Drain {
  let stopping = false;
  app.addHook('preClose', async () => {
    stopping = true;
    await Promise.all([handOver(), sleep(delayMs)]);
    // A connection that is busy when the server closes is not closed by it later, when it falls idle.
    app.server.keepAliveTimeout = 1;
  });
  return {
    get stopping() {
      return stopping;
    },
  };
}
