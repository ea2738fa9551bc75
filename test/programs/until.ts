import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;

/**
 * Waits until `condition` holds; one that throws does not hold yet.
 * @throws what `gaveUp` makes of the last error, if that takes longer than `limitMs`.
 */
export async function until(
  condition: () => Promise<boolean> | boolean,
  limitMs: number,
  gaveUp: (lastError: unknown) => Error,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    let lastError: unknown;
    try {
      if (await condition()) return;
    } catch (error) {
      lastError = error;
    }
    if (performance.now() > deadline) throw gaveUp(lastError);
    await sleep(POLL_MS);
  }
}
