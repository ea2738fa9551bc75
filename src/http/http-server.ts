import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify';
import { clientErrorHandler, frameworkErrors } from './client-error.ts';
import { errorHandler } from './error-handler.ts';
import { acceptJsonOnly } from './json-body.ts';
import { lazyLogger } from './lazy-logger.ts';
import { limits } from './limits.ts';
import { Problem } from './problem.ts';
import { requestIds } from './request-id.ts';

/**
 * A Fastify server without routes, in which everything that all routes share is set: limits, request ids, JSON bodies, and
 * errors as JSON.
 */
export function createHttpServer(maxBodyBytes: number, logger: FastifyServerOptions['logger']): FastifyInstance {
  const { maxConnections, maxParamLength, headersTimeout, maxHeaderSize, ...timeouts } = limits;
  const app = Fastify({
    ...(logger !== undefined && { logger }),
    bodyLimit: maxBodyBytes,
    ...timeouts,
    http: { headersTimeout, maxHeaderSize },
    routerOptions: { maxParamLength },
    genReqId: requestIds(),
    childLoggerFactory: lazyLogger,
    clientErrorHandler,
    frameworkErrors,
    // The access log has one line per request instead of Fastify's two.
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    // What arrives while the server stops is served all the same.
    return503OnClosing: false,
    // Bodies are taken as they are: nothing is coerced, dropped or filled in, and all that is wrong is told.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: true } },
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.server.maxConnections = maxConnections;
  acceptJsonOnly(app);
  app.setErrorHandler(errorHandler('simple'));
  app.setNotFoundHandler(() => {
    throw new Problem('NOT_FOUND');
  });
  return app;
}
