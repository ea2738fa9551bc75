import type { FastifyInstance } from 'fastify';

/** How one dependency of the service is. `details` is free for the dependency to fill; no secrets. */
export interface DependencyStatus {
  ready: boolean;
  details: Record<string, unknown>;
}

export interface ReadyOptions {
  /** What the service needs, by the name under which `/ready` reports it. */
  dependencies: Record<string, () => Promise<DependencyStatus>>;
}

/** `GET /ready`: 200 when every dependency is up, else 503; the body says which is not, and why. */
export async function ready(app: FastifyInstance, { dependencies }: ReadyOptions): Promise<void> {
  app.get(
    '/ready',
    { schema: { summary: 'Readiness, per dependency', tags: ['service'] } },
    async (_request, reply) => {
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
    },
  );
}
