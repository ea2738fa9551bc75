import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import '../../src/operator/observed-template.ts';
import { ClaimTemplateStatus } from '../../src/catalog/claim-template-status.ts';
import type { KubeApiServer } from '../kubernetes/kube-api-server.ts';
import { until } from '../programs/until.ts';

/** How long anything may take, in milliseconds; far longer than it takes. */
export const SEEN_MS = 30_000;

const Stored = Type.Object({
  metadata: Type.Object({ resourceVersion: Type.String(), generation: Type.Integer() }),
  status: ClaimTemplateStatus,
});
export type Stored = Static<typeof Stored>;

/** A template as the API server has it, once it has a status. */
export async function stored(server: KubeApiServer, name: string, namespace = 'default'): Promise<Stored> {
  return Value.Parse(Stored, JSON.parse(await server.kubectl(['-n', namespace, 'get', 'ct', name, '-o', 'json'])));
}

/** The condition as `status reason`, if there is one about the generation of now. */
export async function condition(server: KubeApiServer, name: string, type = 'Ready', namespace = 'default') {
  const { metadata, status } = await stored(server, name, namespace);
  const found = status.conditions?.find((one) => one.type === type);
  return found?.observedGeneration === metadata.generation ? `${found.status} ${found.reason}` : undefined;
}

/** Waits until a condition is so. */
export async function untilCondition(server: KubeApiServer, name: string, expected: string, namespace = 'default') {
  let seen: string | undefined;
  const isSo = async () => {
    seen = await condition(server, name, 'Ready', namespace);
    return seen === expected;
  };
  await until(isSo, SEEN_MS, (cause) => new Error(`${name} is ${seen}, never ${expected}`, { cause }));
}

const Events = Type.Object({
  items: Type.Array(
    Type.Object({
      type: Type.String(),
      reason: Type.String(),
      message: Type.String(),
      eventTime: Type.String(),
      involvedObject: Type.Object({ name: Type.String() }),
    }),
  ),
});

/** What events tell of a template, the oldest first, as `type reason`. */
export async function eventsOf(server: KubeApiServer, name: string, namespace = 'default'): Promise<string[]> {
  const { items } = Value.Parse(
    Events,
    JSON.parse(await server.kubectl(['-n', namespace, 'get', 'events', '-o', 'json'])),
  );
  return items
    .filter(({ involvedObject }) => involvedObject.name === name)
    .sort((a, b) => (a.eventTime < b.eventTime ? -1 : 1))
    .map(({ type, reason }) => `${type} ${reason}`);
}
