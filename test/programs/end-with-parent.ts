import { spawn } from 'node:child_process';

/** Its input ends when this process does, however that ends. */
const script = 'read -r _; kill -9 "$1"; rm -rf "$2"';

/**
 * Sees to it that a process does not outlive this one, nor does its folder, where a test is killed before its teardown.
 * @returns calls that off; to be called when the process has gone, since its id is then free for others
 */
export function endWithParent(pid: number, dir: string): () => void {
  // In a process group of its own Ctrl-C does not reach it.
  const guard = spawn('sh', ['-c', script, 'sh', String(pid), dir], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  return () => guard.kill('SIGKILL');
}
