import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { test } from 'tap';
import { ClusterTemplates, nameOf } from '../../bench/cluster-templates.ts';
import { loadKubeConfig } from '../../src/kubernetes/kube-config.ts';
import { auditedGroup } from '../kubernetes/audit-log.ts';
import { type KubeApiServer, skipWithoutKube, startKubeApiServer } from '../kubernetes/kube-api-server.ts';
import { until } from '../programs/until.ts';
import { define, startWatching, titles } from './watching-app.ts';

const skip = skipWithoutKube;
const USER = 'frontdesk';
const MANY = 600;
const CHANGED = 200;
/** How long all of them may take, in milliseconds; far longer than they do. */
const ALL_MS = 150_000;

/** What is read of what the API server has in the end. */
const Stored = Type.Object({
  items: Type.Array(
    Type.Object({
      metadata: Type.Object({ name: Type.String(), generation: Type.Integer() }),
      status: Type.Object({
        conditions: Type.Array(Type.Object({ status: Type.String(), observedGeneration: Type.Integer() })),
      }),
    }),
  ),
});

test('many templates cost a list by pages, and a status each; a burst of changes a status each, and no list', {
  skip,
}, async (t) => {
  let kubeconfig = '';
  const server = await startKubeApiServer(t, async (prepared) => {
    kubeconfig = await prepared.addUser(USER, [auditedGroup, 'system:masters']);
  });
  await define(server);
  const templates = new ClusterTemplates(loadKubeConfig(server.kubeconfig));
  t.teardown(() => templates.close());
  await templates.create(MANY);
  const app = await startWatching(t, server, { KUBECONFIG: kubeconfig });
  t.equal(Object.keys(await titles(app)).length, MANY);
  await untilCount(server, 'events', MANY);
  t.same(await calls(server), { list: 2, patch: MANY, event: MANY });

  await templates.retitleFirst(CHANGED, 'changed');
  const expected = Object.fromEntries(
    Array.from({ length: MANY }, (_, i) => [nameOf(i), i < CHANGED ? 'changed' : `Volume ${nameOf(i)}`]),
  );
  const isServed = async () => JSON.stringify(await titles(app)) === JSON.stringify(expected);
  await until(isServed, ALL_MS, never('the changes'));
  await untilCount(server, 'claimtemplates/status', MANY + CHANGED);
  // No event: what changed is not whether they can be ordered.
  t.same(await calls(server), { list: 2, patch: MANY + CHANGED, event: MANY });
  const { items } = Value.Parse(Stored, JSON.parse(await server.kubectl(['get', 'ct', '-o', 'json'])));
  const isRight = ({ metadata: { generation }, status: { conditions } }: (typeof items)[number]) =>
    conditions.length === 3 &&
    conditions.every(({ status, observedGeneration }) => status === 'True' && observedGeneration === generation);
  t.same(
    items.filter((item) => !isRight(item)),
    [],
  );
});

/** How often the application listed templates, wrote the status of one, and told of an event. */
async function calls(server: KubeApiServer): Promise<Record<'list' | 'patch' | 'event', number>> {
  const own = (await server.auditLog()).filter(({ user }) => user === USER);
  const count = (verb: string, resource: string) =>
    own.filter((call) => call.verb === verb && call.resource === resource).length;
  return {
    list: count('list', 'claimtemplates'),
    patch: count('patch', 'claimtemplates/status'),
    event: count('create', 'events'),
  };
}

async function untilCount(server: KubeApiServer, resource: string, count: number): Promise<void> {
  const written = async () => (await server.auditLog()).filter((call) => call.resource === resource).length;
  await until(async () => (await written()) >= count, ALL_MS, never(`${count} writes of ${resource}`));
}

function never(what: string) {
  return (cause: unknown) => new Error(`${what} are never seen`, { cause });
}
