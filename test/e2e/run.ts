import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { kubeconfig } from '../../hack/kind/settings.mjs';

const LIMIT_MS = 120_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

export interface RunOptions {
  input?: string;
  limitMs?: number;
}

/**
 * Runs a program against the cluster, and gives what it printed, without the last line's end.
 * @throws what it printed, if it fails or takes too long.
 */
export async function run(
  program: string,
  args: readonly string[],
  { input = '', limitMs = LIMIT_MS }: RunOptions = {},
): Promise<string> {
  const running = promisify(execFile)(program, args, {
    env: { ...process.env, KUBECONFIG: kubeconfig },
    timeout: limitMs,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  // A program that reads no input may have ended before it has all of it.
  running.child.stdin?.on('error', () => undefined).end(input);
  return (await running).stdout.trimEnd();
}

/** `kubectl` with these arguments. */
export const kubectl = (...args: string[]): Promise<string> => run('kubectl', args);

/** Applies manifests to the cluster, or dry-runs them with further arguments. */
export const apply = (manifests: string, ...args: string[]): Promise<string> =>
  run('kubectl', ['apply', ...args, '--filename', '-'], { input: manifests });
