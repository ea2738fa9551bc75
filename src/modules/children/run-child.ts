import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { hasCode } from '../../has-code.ts';
import { watchMemory } from './memory-watch.ts';

/** What one run may take; whoever takes more is killed. */
export interface ChildLimits {
  /** Milliseconds from start to end. */
  timeMs: number;
  /** Bytes it may print. */
  outputBytes: number;
  /** Bytes of resident memory. */
  memoryBytes: number;
}

export interface Run {
  /** Absolute path. */
  program: string;
  args: readonly string[];
  /** All of its environment. */
  env: Readonly<Record<string, string>>;
  /** Its working folder. */
  cwd: string;
  /** What it reads. */
  input?: string;
}

/** Why there is no output. */
export class ChildError extends Error {
  /** `missing`: it cannot be started. `limit`: it took too much of something. `failed`: it said so itself, or crashed. */
  readonly kind: 'missing' | 'limit' | 'failed';

  constructor(kind: ChildError['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** What is kept of the complaints of a child, in bytes. */
const MAX_COMPLAINT_BYTES = 4096;

/**
 * Runs a program to its end, without a shell, in a process group of its own.
 * @returns what it printed.
 * @throws {ChildError}
 */
export async function runChild({ program, args, env, cwd, input = '' }: Run, limits: ChildLimits): Promise<Buffer> {
  const child = spawn(program, args, { env, cwd, stdio: ['pipe', 'pipe', 'pipe'], detached: true, shell: false });
  let tooMuch: string | undefined;
  const stop = (why: string) => {
    tooMuch ??= why;
    killGroup(child);
  };
  const timer = setTimeout(() => stop(`took longer than ${limits.timeMs} ms`), limits.timeMs);
  const endWatch =
    child.pid === undefined
      ? () => undefined
      : watchMemory(child.pid, limits.memoryBytes, () => stop(`took more than ${limits.memoryBytes} bytes of memory`));
  const output = collect(child.stdout, limits.outputBytes, () => stop(`printed more than ${limits.outputBytes} bytes`));
  const complaint = collect(child.stderr, MAX_COMPLAINT_BYTES, () => undefined);
  // A child that ends without reading breaks the pipe; how it ended is told by its exit.
  child.stdin.on('error', () => undefined).end(input);
  try {
    const end = await endOf(child);
    if (tooMuch !== undefined) throw new ChildError('limit', tooMuch);
    if (end !== 'exit code 0') throw new ChildError('failed', complaint().toString().trim() || `ended with ${end}`);
    return output();
  } finally {
    clearTimeout(timer);
    endWatch();
    // Whatever it left behind ends with it.
    killGroup(child);
  }
}

/** Reads on after the limit, so that the writer is not held up, but keeps nothing of it. */
function collect(stream: Readable, limit: number, exceeded: () => void): () => Buffer {
  const chunks: Buffer[] = [];
  let left = limit;
  stream.on('data', (chunk: Buffer) => {
    if (chunk.length > left) exceeded();
    if (left > 0) chunks.push(chunk.subarray(0, left));
    left -= Math.min(left, chunk.length);
  });
  return () => Buffer.concat(chunks);
}

function endOf(child: Child): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(startError(error)));
    child.once('close', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
}

function startError(error: Error): ChildError {
  const isMissing = hasCode(error, 'ENOENT', 'EACCES');
  return new ChildError(isMissing ? 'missing' : 'failed', 'cannot be started', { cause: error });
}

function killGroup({ pid }: Child): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // All of the group has gone; macOS says EPERM for that.
    if (!hasCode(error, 'ESRCH', 'EPERM')) throw error;
  }
}
