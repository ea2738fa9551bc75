import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';

/** The command, as Node runs it. */
export const entry = fileURLToPath(new URL('../../src/cli/frontdesk.ts', import.meta.url));
const RUN_MS = 30_000;

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the command in `cwd`, which is its home too, to its end, with `input` at its standard input. */
export async function runFrontdesk(
  cwd: string,
  args: readonly string[],
  { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
): Promise<Ended> {
  const environment = { PATH: process.env.PATH ?? '', HOME: cwd, ...env };
  const child = spawn(process.execPath, [entry, ...args], { cwd, env: environment, timeout: RUN_MS });
  child.stdin.end(input);
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await once(child, 'close');
  const [stdout, stderr] = await printed;
  return { code, stdout, stderr };
}

/** Starts the command in `cwd`, and gives what it has printed so far; it ends with the test. */
export function startFrontdesk(
  t: Pick<Test, 'teardown'>,
  cwd: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): () => string {
  const env = { PATH: process.env.PATH ?? '', ...environment };
  const child = spawn(process.execPath, [entry, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  t.teardown(() => child.kill('SIGKILL'));
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  return () => printed;
}
