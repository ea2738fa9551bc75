import { until } from '../programs/until.ts';

const LIMIT_MS = 90_000;

/** Waits until a condition of the cluster holds; `what` is told if it does not in time. */
export function wait(what: string, condition: () => Promise<boolean>, limitMs = LIMIT_MS): Promise<void> {
  const gaveUp = (cause: unknown) => new Error(`still not after ${limitMs / 1000} s: ${what}`, { cause });
  return until(condition, limitMs, gaveUp);
}
