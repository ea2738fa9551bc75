import { type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads';
import { type EngineOptions, SqliteEngine } from './sqlite-engine.ts';

/**
 * A `SqliteEngine` on a thread of its own, so that a slow disk never holds up requests. This file is both sides of the
 * thread: `startSqliteThread` for the one who calls, and below, what runs on the thread.
 */
export interface SqliteThread {
  /** Calls a method of the engine. Calls are answered in order. Rejects with what the method threw. */
  call<M extends Method>(method: M, ...args: Parameters<SqliteEngine[M]>): Promise<ReturnType<SqliteEngine[M]>>;
  /** Ends the thread; call it when no call is under way. */
  end(): Promise<void>;
}

type Method = 'append' | 'counts' | 'maintain' | 'status' | 'close';

interface Call {
  method: Method;
  args: unknown[];
}

type Answer = { result: unknown } | { error: unknown };

/** Heap of the thread, in MiB; it holds one batch of messages at a time. */
const limits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 8 };

/**
 * Starts a thread and opens the engine on it.
 * @param report is told what an operator should know.
 * @throws what opening the engine throws.
 */
export async function startSqliteThread(
  options: EngineOptions,
  report: (error: string) => void,
): Promise<SqliteThread> {
  const worker = new Worker(new URL(import.meta.url), { workerData: options, resourceLimits: limits });
  const pending: { resolve: (result: never) => void; reject: (error: unknown) => void }[] = [];
  const answered = () => new Promise<never>((resolve, reject) => pending.push({ resolve, reject }));

  worker.on('message', (message: Answer | { report: string }) => {
    if ('report' in message) return report(message.report);
    const call = pending.shift();
    if ('error' in message) call?.reject(message.error);
    else call?.resolve(message.result as never);
  });
  // An engine that ends by itself is beyond repair here: the error of the worker, which nobody catches, ends the process.
  await answered();
  return {
    call: (method, ...args) => {
      worker.postMessage({ method, args } satisfies Call);
      return answered();
    },
    end: async () => {
      await worker.terminate();
    },
  };
}

/** Runs on the thread: answers the opening, and then each call, in order. */
function serve(port: MessagePort, options: EngineOptions): void {
  const answer = (run: () => unknown) => {
    try {
      port.postMessage({ result: run() } satisfies Answer);
    } catch (error) {
      port.postMessage({ error } satisfies Answer);
    }
  };
  answer(() => {
    const engine = new SqliteEngine(options, (report) => port.postMessage({ report }));
    port.on('message', ({ method, args }: Call) => answer(() => Reflect.apply(engine[method], engine, args)));
  });
}

if (parentPort !== null && isEngineOptions(workerData)) serve(parentPort, workerData);

function isEngineOptions(data: unknown): data is EngineOptions {
  return typeof data === 'object' && data !== null && 'lockTimeoutMs' in data;
}
