import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** How long a program may take before it is killed, in milliseconds. */
const PROGRAM_MS = 10_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

const packages = {
  'docker-registry': 'docker-registry',
  openssl: 'openssl',
  'redis-cli': 'redis-tools',
  'redis-server': 'redis-server',
};
export type Program = keyof typeof packages;

export interface ProgramOptions {
  /** Beside `PATH`. */
  env?: Record<string, string>;
  timeoutMs?: number;
}

/**
 * Runs a program to its end, and gives what it printed, without the last line's end.
 * @throws what it printed, if it fails or takes too long.
 */
export async function runProgram(
  program: Program,
  args: readonly string[],
  { env, timeoutMs = PROGRAM_MS }: ProgramOptions = {},
): Promise<string> {
  const options = {
    env: { PATH: process.env.PATH ?? '', ...env },
    timeout: timeoutMs,
    killSignal: 'SIGKILL' as const,
    maxBuffer: MAX_OUTPUT_BYTES,
  };
  try {
    const { stdout } = await promisify(execFile)(program, args, options);
    return stdout.replace(/\n$/, '');
  } catch (error) {
    if (isMissing(error)) throw missingProgram(program, error);
    throw new Error(`${program} ${args.join(' ')}: ${reasonIn(error, timeoutMs)}`, { cause: error });
  }
}

/** Whether `error` says that there is no such program. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

export function missingProgram(program: Program, cause: unknown): Error {
  return new Error(`${program} is not installed. Debian and Ubuntu: apt-get install ${packages[program]}`, { cause });
}

function reasonIn(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  const printed = ['stderr', 'stdout'].map((name) => textAt(error, name)).join('');
  if ('killed' in error && error.killed === true) return `killed after ${timeoutMs} ms. ${printed}`;
  return printed.trim() || error.message;
}

function textAt(error: object, name: string): string {
  const text: unknown = Reflect.get(error, name);
  return typeof text === 'string' ? text : '';
}
