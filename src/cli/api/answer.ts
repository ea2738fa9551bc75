import type { IncomingHttpHeaders } from 'node:http';
import type { Static, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { Failure, problemFailure } from '../failure.ts';
import { ErrorAnswer } from './error-answer.ts';

/** What came back, whole. */
export interface RawAnswer {
  url: URL;
  status: number;
  headers: IncomingHttpHeaders;
  content: Buffer;
}

const NO_FRONTDESK = 'is this the address of a Frontdesk?';

/**
 * Reads an answer as what it should be.
 * @throws {Failure} with what the service says is wrong, or why this is no answer of such a service.
 */
export function answerIn<T extends TSchema>(raw: RawAnswer, schema: T): Static<T> {
  const { url, status, headers } = raw;
  if (status >= 300 && status < 400) {
    const to = headers.location === undefined ? [] : [`it is said to be at ${headers.location}; name that by --api`];
    throw new Failure('failure', `${url} answers ${status}, which is not followed`, to);
  }
  const document = jsonIn(raw);
  if (status >= 400) throw refusal(raw, document);
  if (Value.Check(schema, document)) return document;
  const { path = '', message = '' } = Value.Errors(schema, document).First() ?? {};
  throw new Failure('failure', `${url} answers with something unexpected: ${path || '/'}: ${message}`, [NO_FRONTDESK]);
}

function jsonIn({ url, status, headers, content }: RawAnswer): unknown {
  try {
    return JSON.parse(content.toString());
  } catch (cause) {
    const type = headers['content-type'] ?? 'without a content type';
    const message = `${url} answers ${status} with something that is not JSON (${type})`;
    throw new Failure('failure', message, [NO_FRONTDESK], { cause });
  }
}

function refusal({ url, status }: RawAnswer, document: unknown): Failure {
  if (!Value.Check(ErrorAnswer, document)) {
    return new Failure('failure', `${url} answers ${status}`, [NO_FRONTDESK]);
  }
  const said = typeof document.error === 'object' ? document.error : undefined;
  const message = said?.message ?? document.message ?? (typeof document.error === 'string' ? document.error : '');
  const details = said?.details ?? document.details;
  if (status === 401) {
    return new Failure('failure', `401: ${message}`, ['the token comes from FRONTDESK_TOKEN, or by --token-file']);
  }
  if (status === 404 && message === 'not found') {
    return new Failure('failure', `${url} answers 404: ${message}`, [NO_FRONTDESK]);
  }
  const failure = problemFailure({ statusCode: status, message, details });
  return status < 500 ? failure : new Failure('failure', `${status}: ${message}`, failure.lines);
}
