import type { FastifyInstance } from 'fastify';

/** The CORS headers that stand on every response; specification "Endpoints" of the claim template service. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
  'access-control-allow-headers': 'Content-Type, Authorization',
} as const;

/** Puts CORS headers and the request id on every response, and answers every preflight with 204. */
export function responseHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(corsHeaders);
    reply.header('x-request-id', request.id);
    done();
  });
  app.options('*', { schema: { hide: true } }, (_request, reply) => {
    reply.code(204).send();
  });
}
