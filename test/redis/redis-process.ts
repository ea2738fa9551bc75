import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { endWithParent } from './end-with-parent.ts';
import { isMissing, missingProgram } from './run-program.ts';

/** How long the process may take to end, in milliseconds; in good order it gives its replicas ten seconds. */
const EXIT_MS = 15_000;
/** What is kept of the output, in characters. */
const MAX_OUTPUT = 64 * 1024;

const program = 'redis-server';

/** One run of `redis-server`, from its start to its end. */
export class RedisProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  #output = '';

  private constructor(args: readonly string[], cwd: string) {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    this.#exited = once(child, 'exit');
    // What could not be spawned is told by `spawned`; here it has merely gone.
    this.#exited.catch(() => undefined);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-MAX_OUTPUT);
      });
    }
    if (child.pid !== undefined) child.once('exit', endWithParent(child.pid, cwd));
  }

  /** @throws naming the package, where the program is not installed. */
  static async spawn(args: readonly string[], cwd: string): Promise<RedisProcess> {
    const spawned = new RedisProcess(args, cwd);
    try {
      await once(spawned.#child, 'spawn');
    } catch (error) {
      throw isMissing(error) ? missingProgram(program, error) : error;
    }
    return spawned;
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error(`${program} has no process id`);
    return this.#child.pid;
  }

  get ended(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** The latest of what it printed. */
  get output(): string {
    return this.#output;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /**
   * Sends a signal that ends the process, and waits until it has.
   * @throws if that takes too long.
   */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (this.ended) return;
    this.#child.kill(signal);
    const tooSlow = new AbortController();
    const late = sleep(EXIT_MS, true, { signal: tooSlow.signal }).catch(() => false);
    if ((await Promise.race([this.#exited, late])) === true) {
      throw new Error(`${program} did not end within ${EXIT_MS} ms of ${signal}: ${this.#output}`);
    }
    tooSlow.abort();
  }
}
