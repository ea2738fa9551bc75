import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { StringEnum } from '../string-enum.ts';
import type { Drain } from './drain.ts';
import { Problem } from './problem.ts';

/** How one dependency of the service is. `details` is free for the dependency to fill; no secrets. */
export interface DependencyStatus {
  ready: boolean;
  details: Record<string, unknown>;
}

const Ready = Type.Object({
  status: Type.Union([Type.Literal('ready'), Type.Literal('not ready'), Type.Literal('stopping')]),
  dependencies: Type.Record(
    Type.String(),
    Type.Object({ status: Type.Union([Type.Literal('up'), Type.Literal('down')]) }, { additionalProperties: true }),
  ),
});

/** What may be asked for, where there are these dependencies. */
function queryOf(names: readonly string[]) {
  const Name = StringEnum(names);
  return Type.Object({
    exclude: Type.Optional(
      Type.Union([Name, Type.Array(Name, { maxItems: 16 })], {
        description: 'A dependency that is told of, and does not count; repeatable.',
      }),
    ),
  });
}

export interface ReadyOptions {
  /** What the service needs, by the name under which `/ready` reports it. */
  dependencies: Record<string, () => Promise<DependencyStatus>>;
  drain: Drain;
}

/**
 * `GET /ready`: 200 when every dependency is up, else 503; the body says which is not, and why. Those that `?exclude=`
 * names are not counted: what all replicas share must not take them all out of service at once.
 */
export const ready: FastifyPluginAsyncTypebox<ReadyOptions> = async (app, { dependencies, drain }) => {
  const names = Object.keys(dependencies);
  const schema = {
    summary: 'Readiness, per dependency',
    tags: ['service'],
    querystring: queryOf(names),
    response: { 200: Ready, 503: Ready },
  };
  const schemaErrorFormatter = () =>
    new Problem('INVALID_REQUEST', { message: `exclude: names dependencies, which are ${names.join(', ')}` });
  app.get('/ready', { schema, schemaErrorFormatter }, async (request, reply) => {
    const excluded = new Set([request.query.exclude ?? []].flat());
    const checked = await Promise.all(
      Object.entries(dependencies).map(async ([name, check]) => {
        const { ready, details } = await check();
        return [name, { status: ready ? 'up' : 'down', ...details }] as const;
      }),
    );
    const up = checked.every(([name, dependency]) => dependency.status === 'up' || excluded.has(name));
    const status = drain.stopping ? 'stopping' : up ? 'ready' : 'not ready';
    return reply.code(status === 'ready' ? 200 : 503).send({ status, dependencies: Object.fromEntries(checked) });
  });
};
