import { readFileSync } from 'node:fs';
import { test } from 'tap';
import { parse } from 'yaml';
import { part, type Rendered, render, skipWithoutHelm } from './rendered.ts';

const skip = skipWithoutHelm;
const { rules: least } = parse(readFileSync('crds/role.yaml', 'utf8'));

/** `Kind namespace/name` of all roles and bindings that are not aggregated. */
function roles(release: Rendered): string[] {
  return release.manifests
    .filter(({ kind, metadata }) => /Role(Binding)?$/.test(kind) && !/-(view|edit)$/.test(metadata.name))
    .map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? '*'}/${metadata.name}`)
    .sort();
}

function rulesOf(release: Rendered): unknown[] {
  return release.manifests
    .filter(({ kind, metadata }) => /Role$/.test(kind) && !/-(view|edit)$/.test(metadata.name))
    .flatMap((role) => part(role, 'rules') ?? []);
}

test('in its own namespace the pods may do what the role of the documentation says, and no more', {
  skip,
}, async (t) => {
  const release = await render();
  t.same(roles(release), [
    'Role desk/frontdesk-desk',
    'Role desk/frontdesk-leader',
    'RoleBinding desk/frontdesk-desk',
    'RoleBinding desk/frontdesk-leader',
  ]);
  t.same(rulesOf(release), least);
  t.equal(release.at('ConfigMap', 'data.WATCH_NAMESPACES', 'frontdesk'), 'desk');
});

test('for several namespaces there is a role in each, and the lease stays in its own', { skip }, async (t) => {
  const release = await render({ watch: { namespaces: ['team-a', 'team-b', 'team-a'] } });
  t.same(roles(release), [
    'Role desk/frontdesk-leader',
    'Role team-a/frontdesk-desk',
    'Role team-b/frontdesk-desk',
    'RoleBinding desk/frontdesk-leader',
    'RoleBinding team-a/frontdesk-desk',
    'RoleBinding team-b/frontdesk-desk',
  ]);
  t.equal(release.at('ConfigMap', 'data.WATCH_NAMESPACES', 'frontdesk'), 'team-a,team-b');
});

test('for all namespaces there is a cluster role', { skip }, async (t) => {
  const release = await render({ watch: { namespaces: ['*'] } });
  t.same(roles(release), [
    'ClusterRole */frontdesk-desk',
    'ClusterRoleBinding */frontdesk-desk',
    'Role desk/frontdesk-leader',
    'RoleBinding desk/frontdesk-leader',
  ]);
  t.same(rulesOf(release), least);
  t.equal(release.at('ConfigMap', 'data.WATCH_NAMESPACES', 'frontdesk'), '*');
});

test('pods that write no status may only read templates', { skip }, async (t) => {
  const release = await render({ operator: { enabled: false } });
  t.same(rulesOf(release), [least[0]]);
  t.equal(release.at('ConfigMap', 'data.OPERATOR', 'frontdesk'), 'false');
});

test('every binding is for the service account of the pods', { skip }, async (t) => {
  const values = { serviceAccount: { name: 'mine', annotations: { 'iam.example/role': 'r' } } };
  const release = await render(values);
  const bindings = release.manifests.filter(({ kind }) => kind.endsWith('Binding') && kind.startsWith('Role'));
  t.equal(bindings.length, 2);
  for (const binding of bindings) {
    t.same(part(binding, 'subjects'), [{ kind: 'ServiceAccount', name: 'mine', namespace: 'desk' }]);
  }
  t.equal(release.at('Deployment', 'spec.template.spec.serviceAccountName'), 'mine');
  t.same(release.get('ServiceAccount').metadata.annotations, values.serviceAccount.annotations);
});

test('a service account of yours is taken, and needs its name', { skip }, async (t) => {
  const release = await render({ serviceAccount: { create: false, name: 'yours' } });
  t.equal(release.find('ServiceAccount'), undefined);
  t.equal(release.at('Deployment', 'spec.template.spec.serviceAccountName'), 'yours');
  await t.rejects(render({ serviceAccount: { create: false } }), /serviceAccount\.name: needed/);
});

test('only the pods of the service get a token of the API server', { skip }, async (t) => {
  const release = await render();
  t.equal(release.at('Deployment', 'spec.template.spec.automountServiceAccountToken'), true);
  t.equal(release.at('ServiceAccount', 'automountServiceAccountToken'), false);
  t.equal(release.at('StatefulSet', 'spec.template.spec.automountServiceAccountToken'), false);
  t.equal(release.at('Pod', 'spec.automountServiceAccountToken'), false);
});

test('who may view or edit a namespace may view or edit its templates', { skip }, async (t) => {
  const release = await render();
  const role = (name: string) => release.get('ClusterRole', `frontdesk-desk-${name}`);
  t.match(role('view').metadata.labels, { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' });
  t.match(role('edit').metadata.labels, {
    'rbac.authorization.k8s.io/aggregate-to-edit': 'true',
    'rbac.authorization.k8s.io/aggregate-to-admin': 'true',
  });
  t.same(part(role('view'), 'rules.0.verbs'), ['get', 'list', 'watch']);
  t.notOk((await render({ rbac: { aggregate: false } })).find('ClusterRole'));
});

test('without permissions of the release there are none', { skip }, async (t) => {
  const release = await render({ rbac: { create: false } });
  t.same(
    release.names.filter((name) => /Role/.test(name)),
    [],
  );
});
