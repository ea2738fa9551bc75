import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { test } from 'tap';
import { someTemplate } from '../crds/broken-templates.ts';
import { type KubeApiServer, skipWithoutKube } from '../kubernetes/kube-api-server.ts';
import { layout, SOURCE } from '../modules/layout.ts';
import { until } from '../programs/until.ts';
import { startOperator } from './start-operator.ts';
import { eventsOf, SEEN_MS, stored, untilCondition } from './status-of.ts';
import { withDefinition } from './with-definition.ts';

const skip = skipWithoutKube;
const quick = { durationMs: 3000, renewDeadlineMs: 2000, retryMs: 200 };
/** What a write is based on. */
const Based = Type.Object({ metadata: Type.Object({ resourceVersion: Type.String() }) });
const volumeclaim = { source: 'oci://registry.frontdesk.dev/modules/volumeclaim', tag: '0.1.0' };

test('nothing is written while nothing changes, however often modules are looked up; a tag that moves is followed', {
  skip,
}, async (t) => {
  const server = await withDefinition(t);
  const first = await layout();
  const modulesDir = t.testdir(first.folder);
  const times = { ...quick, intervalMs: 100 };
  const { lookUps } = await startOperator(t, { kubeconfig: server.kubeconfig, modulesDir, times });
  const parameters = [{ name: 'name', type: 'string', default: 'x' }];
  await server.apply(someTemplate({ source: SOURCE, tag: '1.0', parameters }));
  await server.apply(someTemplate({ source: 'oci://registry.test/no/such' }, { name: 'other' }));
  await untilCondition(server, 'some', 'True Ready');
  await untilCondition(server, 'other', 'False ModuleUnavailable');
  const before = await stored(server, 'some');
  t.equal(before.status.module?.digest, first.manifest);
  const seen = lookUps();
  await until(() => lookUps() > seen + 20, SEEN_MS, never('20 further look-ups'));
  t.same(await stored(server, 'some'), before);
  t.equal((await statusWrites(server)).length, 2);
  const second = await layout({ config: { engine: 'cel', more: 1 } });
  for (const [name, content] of Object.entries(blobsOf(second.folder))) {
    await writeFile(join(modulesDir, 'blobs/sha256', name), content);
  }
  await writeFile(join(modulesDir, 'index.new'), second.folder['index.json']);
  await rename(join(modulesDir, 'index.new'), join(modulesDir, 'index.json'));
  const digest = async () => (await stored(server, 'some')).status.module?.digest;
  await until(async () => (await digest()) === second.manifest, SEEN_MS, never('the new digest'));
  t.equal((await statusWrites(server)).length, 3);
});

test('a module that is pinned by its digest is looked up once', { skip }, async (t) => {
  const server = await withDefinition(t);
  const { folder, manifest } = await layout();
  const times = { ...quick, intervalMs: 50, retryIntervalMs: 50 };
  const options = { kubeconfig: server.kubeconfig, modulesDir: t.testdir(folder), times };
  const { lookUps } = await startOperator(t, options);
  const parameters = [{ name: 'name', type: 'string', default: 'x' }];
  await server.apply(someTemplate({ source: `${SOURCE}@${manifest}`, parameters }));
  await untilCondition(server, 'some', 'True Ready');
  t.equal(lookUps(), 1);
  await server.apply(someTemplate({ source: SOURCE, tag: '1.0', parameters }, { name: 'tagged' }));
  await until(() => lookUps() > 20, SEEN_MS, never('look-ups of the tag'));
  t.equal((await statusWrites(server)).filter(({ name }) => name === 'some').length, 1);
});

test('a burst of changes costs one write per template, and one per second for a template that changes on and on', {
  skip,
}, async (t) => {
  const server = await withDefinition(t);
  await startOperator(t, { kubeconfig: server.kubeconfig, times: quick });
  const names = Array.from({ length: 300 }, (_, i) => `t-${i}`);
  const items = names.map((name) => someTemplate(volumeclaim, { name }));
  await server.apply({ apiVersion: 'v1', kind: 'List', items });
  await until(async () => (await statusWrites(server)).length >= names.length, SEEN_MS, never('300 writes'));
  for (const name of ['t-0', 't-299']) await untilCondition(server, name, 'False ModuleInvalid');
  const started = performance.now();
  for (let i = 0; i < 30; i += 1) await server.apply(someTemplate({ ...volumeclaim, title: `${i}` }, { name: 't-7' }));
  await untilCondition(server, 't-7', 'False ModuleInvalid');
  const seconds = Math.ceil((performance.now() - started) / 1000);
  const writes = await statusWrites(server);
  const of = (name: string) => writes.filter((write) => write.name === name).length;
  t.same(
    names.filter((name) => name !== 't-7' && of(name) !== 1),
    [],
  );
  t.ok(of('t-7') <= 1 + 1 + seconds, `${of('t-7')} writes in ${seconds} s`);
  const versions = writes.map(({ body }) => Value.Parse(Based, body).metadata.resourceVersion);
  t.equal(new Set(versions).size, versions.length);
  const events = (await server.auditLog()).filter(({ resource }) => resource === 'events');
  t.equal(events.length, names.length);
});

test('a status that is written does not make the catalog anew', { skip }, async (t) => {
  const server = await withDefinition(t);
  const { templates } = await startOperator(t, { kubeconfig: server.kubeconfig, times: quick });
  let changes = 0;
  templates.follow(() => {
    changes += 1;
  });
  const names = ['first', 'second', 'third'];
  for (const name of names) {
    await server.apply(someTemplate(volumeclaim, { name }));
    await untilCondition(server, name, 'False ModuleInvalid');
  }
  await server.kubectl(['label', 'ct', 'first', 'team=a']);
  const labels = () => templates.catalog.get('first')?.metadata.labels;
  await until(() => labels()?.team === 'a', SEEN_MS, never('the label'));
  t.equal((await statusWrites(server)).length, names.length);
  t.ok(changes <= 1 + names.length + 1, `${changes} changes`);
});

test('without permission for events, and after the API server was away, statuses are written all the same', {
  skip,
}, async (t) => {
  let kubeconfig = '';
  const server = await withDefinition(t, async (prepared) => {
    kubeconfig = await prepared.addUser('quiet', []);
  });
  await server.apply(...roleOf('quiet'));
  await startOperator(t, { kubeconfig, times: quick });
  await server.apply(someTemplate(volumeclaim));
  await untilCondition(server, 'some', 'False ModuleInvalid');
  await server.kill();
  await server.start();
  await server.apply(someTemplate(volumeclaim, { name: 'later' }));
  await untilCondition(server, 'later', 'False ModuleInvalid');
  const refused = (await server.auditLog()).filter(({ resource, code }) => resource === 'events' && code === 403);
  t.not(refused.length, 0);
  t.same(await eventsOf(server, 'some'), []);
});

async function statusWrites(server: KubeApiServer) {
  return (await server.auditLog()).filter(({ resource, code }) => resource === 'claimtemplates/status' && code === 200);
}

function blobsOf(folder: Awaited<ReturnType<typeof layout>>['folder']): Record<string, Buffer> {
  const blobs = Object.entries(folder.blobs.sha256);
  return Object.fromEntries(blobs.flatMap(([name, content]) => (Buffer.isBuffer(content) ? [[name, content]] : [])));
}

/** What the operator needs, but for events. */
function roleOf(user: string): object[] {
  const rbac = 'rbac.authorization.k8s.io';
  const rules = [
    { apiGroups: ['frontdesk.dev'], resources: ['claimtemplates'], verbs: ['list', 'watch'] },
    { apiGroups: ['frontdesk.dev'], resources: ['claimtemplates/status'], verbs: ['patch'] },
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'update'] },
  ];
  const metadata = { name: user, namespace: 'default' };
  const subjects = [{ apiGroup: rbac, kind: 'User', name: user }];
  const roleRef = { apiGroup: rbac, kind: 'Role', name: user };
  return [
    { apiVersion: `${rbac}/v1`, kind: 'Role', metadata, rules },
    { apiVersion: `${rbac}/v1`, kind: 'RoleBinding', metadata, subjects, roleRef },
  ];
}

function never(what: string) {
  return (cause: unknown) => new Error(`${what} is never seen`, { cause });
}
