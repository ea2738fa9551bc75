import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import type { BuildInfo } from '../build-info.ts';
import { formatDuration } from '../duration.ts';

const Health = Type.Object({
  status: Type.Literal('ok'),
  version: Type.String(),
  commit: Type.String(),
  date: Type.String(),
  uptime: Type.String({ description: 'Go duration, e.g. 2h30m15s.' }),
  timestamp: Type.String({ description: 'ISO 8601.' }),
});

export interface HealthOptions {
  build: BuildInfo;
  clock: () => number;
}

/** `GET /health`: liveness and build information. Touches nothing but this process. */
export const health: FastifyPluginAsyncTypebox<HealthOptions> = async (app, { build, clock }) => {
  const startedAt = clock();
  const schema = { summary: 'Liveness and build information', tags: ['service'], response: { 200: Health } };
  app.get('/health', { schema }, (_request, reply) => {
    const now = clock();
    const uptime = formatDuration(now - startedAt);
    reply.send({ status: 'ok', ...build, uptime, timestamp: new Date(now).toISOString() });
  });
};
