import { readFile } from 'node:fs/promises';

/** How often the memory of a child is looked at, in milliseconds. */
const INTERVAL_MS = 50;

/**
 * Calls `exceeded` once when the process has more than `limit` bytes resident. Where there is no `/proc` it never does.
 * A limit of address space, which the kernel would keep exactly, is no use: Go and Rust reserve far more than they touch.
 * @returns ends the watch.
 */
export function watchMemory(pid: number, limit: number, exceeded: () => void): () => void {
  let looking = false;
  const timer = setInterval(async () => {
    if (looking) return;
    looking = true;
    const bytes = await residentBytes(pid);
    looking = false;
    if (bytes <= limit) return;
    clearInterval(timer);
    exceeded();
  }, INTERVAL_MS);
  return () => clearInterval(timer);
}

/** 0 for a process that has gone. */
async function residentBytes(pid: number): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'latin1');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
