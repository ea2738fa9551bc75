import { timingSafeEqual } from 'node:crypto';
import type { onRequestHookHandler } from 'fastify';
import { type ErrorShape, Problem } from './problem.ts';

const challenge = { 'WWW-Authenticate': 'Bearer' };

/** How each kind of endpoint words a refusal; specification "Errors". */
const wording = {
  status: { missing: 'Missing Authorization header', invalid: 'Invalid token' },
  simple: { missing: 'missing authorization header', invalid: 'invalid token' },
} as const satisfies Record<ErrorShape, { missing: string; invalid: string }>;

/**
 * A guard for routes that need `Authorization: Bearer <token>`. Runs before the body is read.
 * @throws {Problem} `MISSING_AUTHORIZATION` or `INVALID_TOKEN`, worded for `shape`.
 */
export function bearerGuard(token: string, shape: ErrorShape): onRequestHookHandler {
  const expected = Buffer.from(token);
  const { missing, invalid } = wording[shape];

  return (request, _reply, done) => {
    const { authorization } = request.headers;
    if (authorization === undefined) {
      return done(new Problem('MISSING_AUTHORIZATION', { message: missing, headers: challenge }));
    }
    // RFC 9110 11.1: the scheme is case-insensitive.
    const given = Buffer.from(/^bearer +(.*)$/i.exec(authorization)?.[1] ?? '');
    if (given.length === expected.length && timingSafeEqual(given, expected)) return done();
    done(new Problem('INVALID_TOKEN', { message: invalid, headers: challenge }));
  };
}
