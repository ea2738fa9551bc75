import { existsSync, readFileSync } from 'node:fs';

/** Most memory that a process took at any time so far, in bytes; undefined where the system does not tell. */
export function peakMemory(pid: number | undefined): number | undefined {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return undefined;
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(status, 'utf8'))?.[1]) * 1024;
}

/** Environment of a process whose memory is that of one in production: see README.md. */
export const asInProduction = { NODE_OPTIONS: '--max-semi-space-size=4' };
