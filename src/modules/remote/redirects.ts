import { ModuleError } from '../module.ts';
import { discard } from './body.ts';
import type { Answer, Exchange, Request } from './exchange.ts';

/** Most redirects of one request. */
export const MAX_REDIRECTS = 5;

const redirecting = new Set([301, 302, 303, 307, 308]);

/**
 * Follows the redirects of GET and HEAD, by hand: credentials go to no other origin than the one asked first, and what began
 * by HTTPS stays with HTTPS.
 * @throws {ModuleError} `unavailable` for a redirect that is not followed.
 */
export function followingRedirects(exchange: Exchange): Exchange {
  return async (request, signal) => {
    let next = request;
    for (let count = 0; ; count += 1) {
      const answer = await exchange(next, signal);
      if (request.method === 'POST' || !redirecting.has(answer.status)) return answer;
      await discard(answer);
      if (count === MAX_REDIRECTS) throw refused(request, `redirects more than ${MAX_REDIRECTS} times`);
      next = redirected(next, answer, request);
    }
  };
}

function redirected(from: Request, { headers, status }: Answer, first: Request): Request {
  const { location } = headers;
  if (location === undefined || !URL.canParse(location, from.url.href))
    throw refused(first, `answers ${status} to nowhere`);
  const url = new URL(location, from.url);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused(first, `redirects to ${url.protocol}`);
  if (from.url.protocol === 'https:' && url.protocol === 'http:') throw refused(first, 'redirects from HTTPS to HTTP');
  const { authorization, ...rest } = from.headers;
  const stays = url.origin === from.url.origin;
  return { ...from, url, headers: stays && authorization !== undefined ? { ...rest, authorization } : rest };
}

function refused({ url }: Request, what: string): ModuleError {
  return new ModuleError('unavailable', `registry ${url.host} ${what}`);
}
