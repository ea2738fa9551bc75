import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseJson } from '../http/json-body.ts';
import { Problem } from '../http/problem.ts';
import { isSigned } from './signature.ts';

/**
 * Makes every route of `app` take JSON bodies that are signed with one of `secrets`, and nothing else. Without a
 * signature not even the body is read; without a valid one it is not parsed. Throws `INVALID_SIGNATURE`.
 */
export function requireSignedJson(app: FastifyInstance, secrets: readonly string[]): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (signatureOf(request) !== undefined) return done();
    done(new Problem('INVALID_SIGNATURE', { message: 'Missing X-Hub-Signature-256 header' }));
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  // Not in the parser: that does not run for a request without a body, which needs a valid signature all the same.
  app.addHook('preValidation', (request, _reply, done) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    if (!isSigned(body, signatureOf(request) ?? '', secrets)) {
      return done(new Problem('INVALID_SIGNATURE', { message: 'Invalid signature' }));
    }
    try {
      request.bodyText = body.toString();
      request.body = parseJson(request.bodyText);
      done();
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

function signatureOf({ headers }: FastifyRequest): string | undefined {
  const signature = headers['x-hub-signature-256'] ?? headers['x-codehost-signature-256'];
  return typeof signature === 'string' ? signature : undefined;
}
