import { METHODS } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Problem } from './problem.ts';

/** `CONNECT` never reaches a route, and `OPTIONS` is the preflight's. */
const answeredElsewhere = new Set(['CONNECT', 'OPTIONS']);

/**
 * Answers 405 with `Allow` for every method that a path has no route for. Call it before the first route is added:
 * it watches them being added, and adds the missing ones when all are known.
 * @returns what to call after the last route.
 */
export function methodNotAllowed(app: FastifyInstance): () => void {
  const methodsByPath = new Map<string, Set<string>>();
  for (const method of METHODS) {
    if (!answeredElsewhere.has(method) && !app.supportedMethods.includes(method))
      app.addHttpMethod(method, { hasBody: true });
  }
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByPath.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    methodsByPath.set(url, methods);
  });

  return () => {
    for (const [url, methods] of [...methodsByPath]) {
      // Catch-alls and the static files of the docs page have no methods of their own to tell.
      if (url.endsWith('*') || url.endsWith('/')) continue;
      const allow = [...methods, 'OPTIONS'].join(', ');
      app.route({
        method: METHODS.filter((name) => !methods.has(name) && !answeredElsewhere.has(name)),
        url,
        schema: { hide: true },
        // In onRequest, so that a body which nobody asked for is neither read nor judged.
        onRequest: () => {
          throw new Problem('METHOD_NOT_ALLOWED', { headers: { Allow: allow } });
        },
        handler: () => undefined,
      });
    }
  };
}
