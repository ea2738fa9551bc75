import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Test } from 'tap';
import { token } from './app.ts';

export interface RunningProcess {
  child: ChildProcess;
  /** Everything printed so far. */
  output(): { stdout: string; stderr: string };
  /** Resolves with the exit code or the signal that ended the process. */
  exited: Promise<number | NodeJS.Signals>;
}

/** Runs a script of this repository as its own process, killed when the test ends. */
export function run(t: Test, script: string, env: Record<string, string>, cwd = process.cwd()): RunningProcess {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [script], { cwd, env: { PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      printed[stream] += text;
    });
  }
  const exited = once(child, 'close').then(([code, signal]) => code ?? signal);
  t.teardown(() => child.kill('SIGKILL'));
  return { child, output: () => printed, exited };
}

/** The production entry on a free port, once it listens. */
export async function runMain(t: Test, env: Record<string, string> = {}): Promise<RunningProcess & { url: string }> {
  // A test's folder is emptied each time it is asked for.
  const DATA_DIR = env.DATA_DIR ?? t.testdir();
  const running = run(t, 'src/main.ts', { AUTH_TOKEN: token, HOST: '127.0.0.1', PORT: '0', ...env, DATA_DIR });
  return { ...running, url: await urlIn(running, /Server listening at (http:[^"\s]+)/) };
}

/** Waits until the process prints where it listens. */
export async function urlIn({ child, output, exited }: RunningProcess, pattern: RegExp): Promise<string> {
  for (;;) {
    const url = pattern.exec(output().stdout)?.[1];
    if (url !== undefined) return url;
    const ended = await Promise.race([exited, child.stdout && once(child.stdout, 'data').then(() => undefined)]);
    if (ended !== undefined) throw new Error(`ended with ${ended}: ${output().stderr}`);
  }
}
