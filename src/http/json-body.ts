import type { FastifyInstance } from 'fastify';
import secureJson from 'secure-json-parse';
import { Problem } from './problem.ts';

/** Deepest nesting of arrays and objects in a request body; deeper ones would exhaust the stack of who walks them. */
export const MAX_JSON_DEPTH = 64;

/**
 * Parses a request body.
 * @throws {Problem} `INVALID_BODY` if it is not JSON, nested too deeply, or carries a `__proto__` key. The text itself
 * never reaches the message: it may hold secrets.
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = secureJson.parse(text, { protoAction: 'error', constructorAction: 'error' });
  } catch (cause) {
    throw new Problem('INVALID_BODY', { cause });
  }
  if (isDeeperThan(value, MAX_JSON_DEPTH)) {
    throw new Problem('INVALID_BODY', { details: { problems: [`nested deeper than ${MAX_JSON_DEPTH} levels`] } });
  }
  return value;
}

/** Makes `parseJson` the parser of `application/json` bodies of `app`, and JSON the only media type it takes. */
export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, parseJson(body.toString()));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

/** Recursion is safe here: it ends at `limit`. */
function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return limit === 0 || Object.values(value).some((child) => isDeeperThan(child, limit - 1));
}
