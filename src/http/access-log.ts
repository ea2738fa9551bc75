import type { FastifyInstance } from 'fastify';

/**
 * One line per answered request, without query, headers or body: those may hold secrets and payloads. What went well
 * is counted by the metrics and told at level debug only, as a line for each would cost more than the request itself.
 */
export function accessLog(app: FastifyInstance): void {
  const tellsAll = app.log.level === 'debug' || app.log.level === 'trace';
  app.addHook('onResponse', (request, reply, done) => {
    const status = reply.statusCode;
    if (tellsAll || status >= 400) {
      const { url: route } = request.routeOptions;
      const ms = Math.round(reply.elapsedTime * 100) / 100;
      request.log[status < 400 ? 'debug' : 'info']({ method: request.method, route, status, ms }, 'request');
    }
    done();
  });
}
