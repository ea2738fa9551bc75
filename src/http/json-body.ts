import type { FastifyInstance } from 'fastify';
import { Problem } from './problem.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it was sent, where it is JSON. */
    bodyText: string;
  }
}

/** Deepest nesting of arrays and objects in a request body; deeper ones would exhaust the stack of who walks them. */
export const MAX_JSON_DEPTH = 64;

/**
 * Parses a request body. A key like `__proto__` is a key like any other: bodies are read, never merged into objects.
 * @throws {Problem} `INVALID_BODY` if it is not JSON, or nested too deeply. The text itself never reaches the message:
 * it may hold secrets.
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Problem('INVALID_BODY', { cause });
  }
  if (hasMoreBrackets(text, MAX_JSON_DEPTH) && isDeeperThan(value, MAX_JSON_DEPTH)) {
    throw new Problem('INVALID_BODY', { details: { problems: [`nested deeper than ${MAX_JSON_DEPTH} levels`] } });
  }
  return value;
}

/** Makes `parseJson` the parser of `application/json` bodies of `app`, and JSON the only media type it takes. */
export function acceptJsonOnly(app: FastifyInstance): void {
  app.decorateRequest('bodyText', '');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    try {
      request.bodyText = body.toString();
      done(null, parseJson(request.bodyText));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

/** Text with no more opening brackets than `limit` nests no deeper: most bodies need not be walked, which takes as long as parsing. */
function hasMoreBrackets(text: string, limit: number): boolean {
  let count = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      count += 1;
      if (count > limit) return true;
    }
  }
  return false;
}

/** Recursion is safe here: it ends at `limit`. */
function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return limit === 0 || Object.values(value).some((child) => isDeeperThan(child, limit - 1));
}
