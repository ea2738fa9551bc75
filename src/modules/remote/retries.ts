import { setTimeout as sleep } from 'node:timers/promises';
import type { BackOff } from '../../back-off.ts';
import { discard } from './body.ts';
import { ConnectionError } from './connection-error.ts';
import type { Answer, Exchange } from './exchange.ts';

/** Most tries of one request. */
export const MAX_TRIES = 4;
/** Longest pause that a registry may ask for, in milliseconds; one that wants more is not asked again. */
export const MAX_RETRY_AFTER_MS = 10_000;

const passing = new Set([408, 429, 500, 502, 503, 504]);

export interface RetryOptions {
  pause: BackOff;
  /** Milliseconds since the epoch, for a `Retry-After` that is a date. */
  clock: () => number;
}

/** Tries again what may fare better the next time, after a pause that is at least as long as the server asks for. */
export function retrying(exchange: Exchange, { pause, clock }: RetryOptions): Exchange {
  return async (request, signal) => {
    for (let tries = 1; ; tries += 1) {
      const outcome = await attempt(() => exchange(request, signal));
      const isLast = tries === MAX_TRIES || signal.aborted;
      const ms = isLast ? undefined : pauseBefore(outcome, pause(tries), clock());
      if (ms === undefined) return answerOf(outcome);
      if (!(outcome instanceof ConnectionError)) await discard(outcome);
      await sleep(ms, undefined, { signal });
    }
  };
}

function answerOf(outcome: Answer | ConnectionError): Answer {
  if (outcome instanceof ConnectionError) throw outcome;
  return outcome;
}

async function attempt(work: () => Promise<Answer>): Promise<Answer | ConnectionError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConnectionError) return error;
    throw error;
  }
}

/** Milliseconds until the next try; undefined if there is to be none. */
function pauseBefore(outcome: Answer | ConnectionError, backOff: number, now: number): number | undefined {
  if (outcome instanceof ConnectionError) return outcome.mayPass ? backOff : undefined;
  if (!passing.has(outcome.status)) return undefined;
  const asked = retryAfter(outcome.headers['retry-after'], now);
  return asked > MAX_RETRY_AFTER_MS ? undefined : Math.max(asked, backOff);
}

/** Milliseconds that `Retry-After` asks for, as seconds or as a date; 0 without it. RFC 9110, 10.2.3. */
function retryAfter(text: string | undefined, now: number): number {
  if (text === undefined) return 0;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? 0 : Math.max(date - now, 0);
}
