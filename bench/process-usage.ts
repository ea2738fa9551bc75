import { readFileSync } from 'node:fs';

/** Clock ticks a second in /proc; the same on every Linux that Node runs on. */
const USER_HZ = 100;

/** CPU seconds that a process has used, in itself and in the kernel; undefined where there is no /proc. */
export function cpuSeconds(pid: number): number | undefined {
  // The second field, the name, may hold blanks; what follows its bracket does not. See proc(5).
  const fields = read(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ');
  if (fields === undefined) return undefined;
  return (Number(fields[11]) + Number(fields[12])) / USER_HZ;
}

/** Resident memory of a process in megabytes of 10^6 bytes; undefined where there is no /proc. */
export function residentMegabytes(pid: number): number | undefined {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1];
  return kibibytes === undefined ? undefined : (Number(kibibytes) * 1024) / 1e6;
}

/** The last in the chain of children that starts with `pid`. */
export function lastDescendant(pid: number): number {
  const child = read(`/proc/${pid}/task/${pid}/children`)?.trim().split(' ').at(-1);
  return child ? lastDescendant(Number(child)) : pid;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
