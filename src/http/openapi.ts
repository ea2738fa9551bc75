import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifySchema } from 'fastify';
import type { BuildInfo } from '../build-info.ts';
import { ProblemBody } from './problem-body.ts';

/**
 * `GET /openapi.json`, made from the routes' own schemas, and a page to browse it at `/docs`, whose assets are all local.
 * Register before the routes. https://github.com/fastify/fastify-swagger
 */
export async function openapi(app: FastifyInstance, build: BuildInfo): Promise<void> {
  await app.register(swagger, {
    refResolver: { buildLocalReference: (json, _base, _fragment, i) => String(json.$id ?? `def-${i}`) },
    // Every route can fail in ways of its framework (413, 415, 500 …); saying so once here is for the document only.
    transform: ({ schema, url }) => ({ schema: { ...schema, response: { ...answers(schema), ...failures } }, url }),
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
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP, uiConfig: { layout: 'BaseLayout' } });
}

const failures = { '4XX': ProblemBody, '5XX': ProblemBody };

/** The page may load what this server has, and nothing else. */
const staticCSP = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'";

function answers(schema: FastifySchema | undefined): object {
  return typeof schema?.response === 'object' && schema.response !== null ? schema.response : {};
}
