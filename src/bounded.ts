/** There was no answer in time; what was asked may still happen. */
export class TimeLimitError extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms} ms`);
    this.name = 'TimeLimitError';
  }
}

/**
 * Waits for `promise`, but no longer than `ms`. How it ends after that is of no interest any more.
 * @throws {TimeLimitError}
 */
export async function bounded<T>(promise: Promise<T>, ms: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new TimeLimitError(ms)), ms);
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
