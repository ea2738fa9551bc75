import type { FastifyBaseLogger } from 'fastify';

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/**
 * A child of `parent` that is made when the first line is written with it. Every request has a logger of its own, and
 * few write with it.
 */
export function lazyLogger(parent: FastifyBaseLogger, bindings: object): FastifyBaseLogger {
  return new LazyLogger(parent, bindings) as unknown as FastifyBaseLogger;
}

class LazyLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: object;
  #child: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, bindings: object) {
    this.#parent = parent;
    this.#bindings = bindings;
  }

  get own(): FastifyBaseLogger {
    this.#child ??= this.#parent.child(this.#bindings);
    return this.#child;
  }

  get level(): string {
    return this.#parent.level;
  }

  child(...args: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.own.child(...args);
  }
}

for (const level of levels) {
  Object.defineProperty(LazyLogger.prototype, level, {
    value(this: LazyLogger, ...args: unknown[]) {
      Reflect.apply(this.own[level], this.own, args);
    },
  });
}
