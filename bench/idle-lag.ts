import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

/** Tells the longest lag of an event loop that has nothing to do: what the machine alone adds to that of a server. */
export class IdleLag {
  readonly #worker = new Worker(new URL(import.meta.url));

  /** Since this was asked for the last time, in milliseconds. */
  async longest(): Promise<number> {
    this.#worker.postMessage('longest');
    const [lag] = await once(this.#worker, 'message');
    return Number(lag);
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

if (!isMainThread) {
  // The same resolution as that of the metrics of a server.
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  parentPort?.on('message', () => {
    parentPort?.postMessage(delay.max / 1e6);
    delay.reset();
  });
}
