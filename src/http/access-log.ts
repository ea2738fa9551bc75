import type { FastifyInstance } from 'fastify';

/** Probes and scrapes come every few seconds; a line for each would bury the others. */
const quietRoutes = new Set(['/health', '/ready', '/metrics']);

/** One line per answered request, without query, headers or body: those may hold secrets and payloads. */
export function accessLog(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { url: route } = request.routeOptions;
    const level = route !== undefined && quietRoutes.has(route) && reply.statusCode < 400 ? 'debug' : 'info';
    request.log[level](
      { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime * 100) / 100 },
      'request',
    );
    done();
  });
}
