import { readFileSync } from 'node:fs';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import tap, { test } from 'tap';
import { parse } from 'yaml';
import { startApp } from '../app.ts';
import { define } from '../catalog/watching-app.ts';
import { auditedGroup } from '../kubernetes/audit-log.ts';
import { type KubeApiServer, skipWithoutKube, startKubeApiServer } from '../kubernetes/kube-api-server.ts';
import { eventsOf, untilCondition } from '../operator/status-of.ts';
import { until } from '../programs/until.ts';
import { someTemplate } from './broken-templates.ts';

const SEEN_MS = 30_000;

const Rule = Type.Object({
  apiGroups: Type.Array(Type.String()),
  resources: Type.Array(Type.String()),
  resourceNames: Type.Optional(Type.Array(Type.String())),
  verbs: Type.Array(Type.String()),
});
type Rule = Static<typeof Rule>;

const { rules } = Value.Parse(Type.Object({ rules: Type.Array(Rule) }), parse(readFileSync('crds/role.yaml', 'utf8')));
/** Every verb of the role, with all the others. */
const reduced = rules.flatMap((rule, i) =>
  rule.verbs.map((verb) => ({
    verb,
    resource: rule.resources[0] ?? '',
    user: `without-${verb}-${rule.resources[0]?.replace('/', '-')}`,
    rules: rules.with(i, { ...rule, verbs: rule.verbs.filter((other) => other !== verb) }),
  })),
);

const skip = skipWithoutKube;
const users = new Map<string, string>();
const server = skip ? undefined : await startServer();

async function startServer(): Promise<KubeApiServer> {
  const started = await startKubeApiServer(tap, async (prepared) => {
    for (const user of ['whole', ...reduced.map((one) => one.user)]) {
      users.set(user, await prepared.addUser(user, [auditedGroup], user));
    }
  });
  await define(started);
  return started;
}

test('with the role templates are served, their status and events are written, and nothing is refused', {
  skip,
}, async (t) => {
  const { cluster, app } = await startAs(t, 'whole', rules);
  await cluster.apply(someTemplate({}, { namespace: 'whole' }));
  await untilCondition(cluster, 'some', 'False ModuleUnavailable', 'whole');
  t.equal((await app.inject('/api/v1/claim-templates/some')).statusCode, 200);
  const isTold = async () => (await eventsOf(cluster, 'some', 'whole')).length > 0;
  await until(isTold, SEEN_MS, (cause) => new Error('no event', { cause }));
  // A lease is renewed as well.
  const calls = async () => (await cluster.auditLog()).filter(({ user }) => user === 'whole');
  const isRenewed = async () =>
    (await calls()).some(({ verb, resource }) => verb === 'update' && resource === 'leases');
  await until(isRenewed, SEEN_MS, (cause) => new Error('the lease is never renewed', { cause }));
  t.same(
    (await calls()).filter(({ code }) => code === 403),
    [],
  );
});

for (const { verb, resource, user, rules } of reduced) {
  test(`without the verb ${verb} of ${resource} something is refused`, { skip }, async (t) => {
    const { cluster } = await startAs(t, user, rules);
    await cluster.apply(someTemplate({}, { namespace: user }));
    const isRefused = async () =>
      (await cluster.auditLog()).some(
        (call) => call.user === user && call.verb === verb && call.resource === resource && call.code === 403,
      );
    await until(isRefused, SEEN_MS, (cause) => new Error('nothing is refused', { cause }));
    t.pass('refused');
  });
}

/** The application as a user with these rules, in a namespace of their own. */
async function startAs(t: Parameters<typeof startApp>[0], user: string, rules: readonly Rule[]) {
  if (server === undefined) throw new Error('no API server');
  const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name: 'frontdesk', namespace: user } };
  await server.kubectl(['create', 'namespace', user]);
  await server.apply(
    { ...rbac, kind: 'Role', rules: rules.filter(({ verbs }) => verbs.length > 0) },
    {
      ...rbac,
      kind: 'RoleBinding',
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'frontdesk' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
    },
  );
  const KUBECONFIG = users.get(user) ?? '';
  const app = await startApp(t, { CATALOG_SOURCES: 'kubernetes', KUBECONFIG });
  return { cluster: server, app };
}
