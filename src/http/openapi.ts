import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { BuildInfo } from '../build-info.ts';

/**
 * `GET /openapi.json`, made from the routes' own schemas, and a page to browse it at `/docs`, whose assets are all local.
 * Register before the routes. https://github.com/fastify/fastify-swagger
 */
export async function openapi(app: FastifyInstance, build: BuildInfo): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Frontdesk',
        version: build.version,
        description: 'Messages in, standings out, claims over the desk.',
      },
      tags: [
        { name: 'intake', description: 'Messages and webhooks, into the stream' },
        { name: 'analytics', description: 'How things stand' },
        { name: 'claims', description: 'Claim templates and orders' },
        { name: 'service', description: 'Health, readiness, metrics' },
      ],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
  });
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: true });
}
