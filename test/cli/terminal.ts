import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../programs/until.ts';
import { entry } from './run-frontdesk.ts';

const SHOWN_MS = 20_000;
const TMUX_MS = 10_000;

/** At whose end a terminal goes. */
type Lifetime = { teardown(end: () => unknown): unknown };

/** Why tests that need a terminal are skipped, where they are. */
export const skipWithoutTmux = spawnSync('tmux', ['-V']).status !== 0 && 'tmux is not installed';

/** A program in a terminal of 100 characters by 40 lines, unless there are more,, at which somebody types. */
export class Terminal {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Starts the command as `run` does. */
  static start(t: Lifetime, cwd: string, args: readonly string[], env?: Record<string, string>): Promise<Terminal> {
    return Terminal.run(t, cwd, [process.execPath, entry, ...args], env);
  }

  /** Runs a program in `cwd`; at its end the terminal says `ended with CODE`. Goes when the test ends. */
  static async run(
    t: Lifetime,
    cwd: string,
    program: readonly string[],
    env: Record<string, string> = {},
    { lines = 40 } = {},
  ): Promise<Terminal> {
    const folder = await mkdtemp(join(tmpdir(), 'frontdesk-tmux-'));
    const terminal = new Terminal(folder);
    t.teardown(async () => {
      await terminal.#tmux('kill-server').catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    });
    const environment = { PATH: process.env.PATH ?? '', HOME: cwd, LANG: 'C.UTF-8', ...env };
    const words = ['env', '-i', 'TERM=screen', ...Object.entries(environment).map((pair) => pair.join('='))];
    const command = [...words, ...program].map(quoted).join(' ');
    const script = `${command}; echo "ended with $?"; exec sleep 60`;
    await terminal.#tmux(
      '-u',
      '-f',
      '/dev/null',
      'new-session',
      '-d',
      '-x',
      '100',
      '-y',
      String(lines),
      '-c',
      cwd,
      script,
    );
    return terminal;
  }

  /** Types text, or presses keys by the names that tmux has for them: `Enter`, `Down`, `C-c`. */
  async type(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#tmux('send-keys', '--', key);
  }

  /** What is to be seen; with `styles` also how, by the sequences of terminals. */
  screen({ styles = false } = {}): Promise<string> {
    return this.#tmux('capture-pane', '-p', ...(styles ? ['-e'] : []));
  }

  /** Waits until `text` is to be seen. */
  async shows(text: string | RegExp): Promise<void> {
    let screen = '';
    await until(
      async () => {
        screen = await this.screen();
        return typeof text === 'string' ? screen.includes(text) : text.test(screen);
      },
      SHOWN_MS,
      (cause) => new Error(`${text} is not shown:\n${screen}`, { cause }),
    );
  }

  async #tmux(...args: readonly string[]): Promise<string> {
    const { stdout } = await promisify(execFile)('tmux', ['-S', join(this.#folder, 'socket'), ...args], {
      timeout: TMUX_MS,
      env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8' },
    });
    return stdout;
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
