import { existsSync, readFileSync } from 'node:fs';

/** Most memory that a process took at any time so far, in bytes; undefined where the system does not tell. */
export function peakMemory(pid: number | undefined): number | undefined {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return undefined;
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(status, 'utf8'))?.[1]) * 1024;
}
