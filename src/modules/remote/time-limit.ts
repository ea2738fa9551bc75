import { ModuleError } from '../module.ts';
import { ConnectionError } from './connection-error.ts';

/** A signal that ends what a caller or the time limit ends. */
export function limited(timeoutMs: number, signal: AbortSignal | undefined): AbortSignal {
  const limit = AbortSignal.timeout(timeoutMs);
  return signal === undefined ? limit : AbortSignal.any([signal, limit]);
}

/** What callers are told of a failure while `registry` was asked; what is no failure of a registry stays as it is. */
export function failureOf(error: unknown, registry: string, limit: AbortSignal): unknown {
  if (error instanceof ModuleError) return error;
  if (limit.aborted) {
    return new ModuleError('unavailable', `registry ${registry} did not answer in time`, { cause: error });
  }
  if (!(error instanceof ConnectionError)) return error;
  return new ModuleError('unavailable', `registry ${registry} fails: ${error.message}`, { cause: error });
}
