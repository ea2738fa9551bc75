import { Readable } from 'node:stream';
import type { Static, TSchema } from '@sinclair/typebox';
import { backOff } from '../../back-off.ts';
import { formatDuration } from '../../duration.ts';
import { readBounded } from '../../modules/read-bounded.ts';
import { type Answer, createExchange, type Exchange, type Request } from '../../modules/remote/exchange.ts';
import { registryTrust } from '../../modules/remote/registry-trust.ts';
import { retrying } from '../../modules/remote/retries.ts';
import { Failure } from '../failure.ts';
import { answerIn, type RawAnswer } from './answer.ts';
import type { ApiSettings } from './api-settings.ts';
import { proxiesIn } from './proxies.ts';
import { unreachable } from './unreachable.ts';

/** Largest answer, in bytes: a list of all templates that a service may hold. */
const MAX_ANSWER_BYTES = 67_108_864;
/** Pauses between tries, in milliseconds. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2000;
const pause = backOff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS, Math.random);

/** One question to the service, and what its answer is. */
export interface Call<T extends TSchema> {
  method: 'GET' | 'POST';
  /** Below the address of the service, without a slash before it. */
  path: string;
  query?: URLSearchParams;
  headers?: Readonly<Record<string, string>>;
  body?: object;
  answer: T;
}

/**
 * Asks the service.
 * @throws {Failure} that says what to do about it, where the service cannot be reached, refuses, or is no Frontdesk.
 */
export type ApiClient = <T extends TSchema>(call: Call<T>) => Promise<Static<T>>;

/**
 * Speaks to a service, through a proxy where the environment names one. What may fare better is tried again while there is
 * time. That is safe for all there is: a question changes nothing, an order stores nothing, and a pitch has a key by which
 * it is stored once.
 */
export function apiClient(settings: ApiSettings, env: NodeJS.ProcessEnv): ApiClient {
  const secureContext = registryTrust(settings.caFile, '--ca-file');
  const exchange = createExchange({ secureContext, proxyEnv: proxiesIn(env) });
  return async ({ answer, ...call }) => {
    const request = requestOf(call, settings);
    return answerIn(await ask(exchange, request, settings.timeoutMs), answer);
  };
}

function requestOf(
  { method, path, query, headers, body }: Omit<Call<TSchema>, 'answer'>,
  { address, token }: ApiSettings,
): Request {
  const url = new URL(path, address);
  url.search = query?.toString() ?? '';
  return {
    method,
    url,
    headers: {
      accept: 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

async function ask(exchange: Exchange, request: Request, timeoutMs: number): Promise<RawAnswer> {
  const { url } = request;
  const signal = AbortSignal.timeout(timeoutMs);
  let refusal: RawAnswer | undefined;
  // Where the time is up before the next try, what the last one was told says more.
  const remembering: Exchange = async (...args) => {
    const answer = await exchange(...args);
    if (answer.status < 500) return answer;
    refusal = await wholeAnswer(answer);
    return { ...answer, body: Readable.from([refusal.content]) };
  };
  try {
    return await wholeAnswer(await retrying(remembering, { pause, clock: Date.now })(request, signal));
  } catch (cause) {
    if (!signal.aborted) throw unreachable(cause, url);
    if (refusal !== undefined) return refusal;
    const limit = timeoutMs < 1000 ? `${timeoutMs} ms` : formatDuration(timeoutMs);
    throw new Failure('failure', `${url.host} did not answer within ${limit}`, [], { cause });
  }
}

async function wholeAnswer({ url, status, headers, body }: Answer): Promise<RawAnswer> {
  const tooMuch = () => new Failure('failure', `${url.host} answers more than ${MAX_ANSWER_BYTES} bytes`);
  return { url, status, headers, content: await readBounded(body, MAX_ANSWER_BYTES, tooMuch) };
}
