import type { RequestContext } from '@kubernetes/client-node';

/**
 * How long connections are used before there are others, in milliseconds: so long may a dead one or an outdated
 * certificate be in use.
 */
const REUSE_MS = 10_000;

/** Connections that many calls share. The client by itself makes one for each call, which costs more than the call. */
export class Connections {
  #shared: ReturnType<RequestContext['getDispatcher']>;
  #until = 0;

  /** Lets a request use them, in place of the one that was prepared for it. */
  share(request: RequestContext): void {
    if (this.#shared === undefined || performance.now() > this.#until) {
      this.close();
      this.#shared = request.getDispatcher();
      this.#until = performance.now() + REUSE_MS;
    } else {
      request.setDispatcher(this.#shared);
    }
  }

  /** Closes them once they are not in use; they are made anew for a request that comes later. */
  close(): void {
    // Whoever waits for an answer is told by its own call what goes wrong.
    this.#shared?.close().catch(() => undefined);
    this.#shared = undefined;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
