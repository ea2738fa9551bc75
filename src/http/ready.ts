import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';

/** How one dependency of the service is. `details` is free for the dependency to fill; no secrets. */
export interface DependencyStatus {
  ready: boolean;
  details: Record<string, unknown>;
}

const Ready = Type.Object({
  status: Type.Union([Type.Literal('ready'), Type.Literal('not ready')]),
  dependencies: Type.Record(
    Type.String(),
    Type.Object({ status: Type.Union([Type.Literal('up'), Type.Literal('down')]) }, { additionalProperties: true }),
  ),
});

export interface ReadyOptions {
  /** What the service needs, by the name under which `/ready` reports it. */
  dependencies: Record<string, () => Promise<DependencyStatus>>;
}

/** `GET /ready`: 200 when every dependency is up, else 503; the body says which is not, and why. */
export async function ready(app: FastifyInstance, { dependencies }: ReadyOptions): Promise<void> {
  const schema = { summary: 'Readiness, per dependency', tags: ['service'], response: { 200: Ready, 503: Ready } };
  app.get('/ready', { schema }, async (_request, reply) => {
    const checked = await Promise.all(
      Object.entries(dependencies).map(async ([name, check]) => {
        const { ready, details } = await check();
        return [name, { status: ready ? 'up' : 'down', ...details }] as const;
      }),
    );
    const up = checked.every(([, dependency]) => dependency.status === 'up');
    return reply
      .code(up ? 200 : 503)
      .send({ status: up ? 'ready' : 'not ready', dependencies: Object.fromEntries(checked) });
  });
}
