import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { endWithParent } from './end-with-parent.ts';

/** How long the process may take to end, in milliseconds; in good order it gives its replicas ten seconds. */
const EXIT_MS = 15_000;
/** What is kept of the output, in characters. */
const MAX_OUTPUT = 64 * 1024;

/** One run of a program, from its start to its end. */
export class BackgroundProgram {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #program: string;
  #output = '';

  private constructor(program: string, args: readonly string[], cwd: string) {
    this.#program = program;
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

  /**
   * Starts `program` in the folder `cwd`, which goes when this process is killed.
   * @throws ENOENT where it is not installed.
   */
  static async spawn(program: string, args: readonly string[], cwd: string): Promise<BackgroundProgram> {
    const spawned = new BackgroundProgram(program, args, cwd);
    await once(spawned.#child, 'spawn');
    return spawned;
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error(`${this.#program} has no process id`);
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
      throw new Error(`${this.#program} did not end within ${EXIT_MS} ms of ${signal}: ${this.#output}`);
    }
    tooSlow.abort();
  }
}
