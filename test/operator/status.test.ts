import { test } from 'tap';
import { startApp } from '../app.ts';
import { someTemplate } from '../crds/broken-templates.ts';
import { skipWithoutKube } from '../kubernetes/kube-api-server.ts';
import { chart, layout, SOURCE } from '../modules/layout.ts';
import { until } from '../programs/until.ts';
import { startOperator } from './start-operator.ts';
import { eventsOf, SEEN_MS, stored, untilCondition } from './status-of.ts';
import { withDefinition } from './with-definition.ts';

const skip = skipWithoutKube;
const quick = { durationMs: 3000, renewDeadlineMs: 2000, retryMs: 200 };
const volumeclaim = { source: 'oci://registry.frontdesk.dev/modules/volumeclaim', tag: '0.1.0' };
const invalid = { parameters: [{ name: 'a', type: 'string', enum: ['x'], default: 'z' }] };

test('kubectl shows which templates are ready, and why others are not', { skip }, async (t) => {
  const server = await withDefinition(t);
  for (const namespace of ['one', 'two']) await server.kubectl(['create', 'namespace', namespace]);
  const env = { CATALOG_SOURCES: 'kubernetes', KUBECONFIG: server.kubeconfig, WATCH_NAMESPACES: 'default,one,two' };
  const app = await startApp(t, env);
  await server.apply('templates/volumeclaim.yaml', someTemplate(invalid, { name: 'invalid' }));
  await server.apply(someTemplate({}, { name: 'no-module' }));
  await server.apply(someTemplate(volumeclaim, { name: 'twice', namespace: 'one' }));
  await untilCondition(server, 'twice', 'False ModuleInvalid', 'one');
  await server.apply(someTemplate(volumeclaim, { name: 'twice', namespace: 'two' }));
  await untilCondition(server, 'volumeclaim', 'True Ready');
  await untilCondition(server, 'invalid', 'False InvalidTemplate');
  await untilCondition(server, 'no-module', 'False ModuleUnavailable');
  await untilCondition(server, 'twice', 'False NameConflict', 'two');
  const table = await server.kubectl(['get', 'ct', '-A', '-o', 'wide']);
  t.match(table, /^NAMESPACE +NAME +TYPE +SOURCE +TAG +READY +AGE +DIGEST$/m);
  t.match(table, /^default +volumeclaim .*True +\S+ +sha256:[0-9a-f]{64}$/m);
  for (const name of ['default +invalid', 'default +no-module', 'two +twice']) {
    t.match(table, new RegExp(`^${name} .*False`, 'm'));
  }
  const described = await server.kubectl(['-n', 'two', 'describe', 'ct', 'twice']);
  t.match(described, /Message: +twice is taken by one\/twice\n.*Reason: +NameConflict/s);
  t.match(described, /Warning +NameConflict +\S+ +frontdesk\.dev\/operator.* twice is taken by one\/twice/);
  const broken = await server.kubectl(['describe', 'ct', 'invalid']);
  t.match(broken, /Message: +spec\.parameters\[0\]\.default: must be one of x/);
  t.equal((await stored(server, 'volumeclaim')).status.parameters, 4);
  t.match((await app.inject('/ready')).json().dependencies.operator, { status: 'up', leader: true, holder: String });
  t.match((await app.inject('/metrics')).body, /^frontdesk_leader 1$/m);
  // The name falls to the other one, whose own object does not change.
  await server.kubectl(['-n', 'one', 'delete', 'ct', 'twice']);
  await untilCondition(server, 'twice', 'False ModuleInvalid', 'two');
});

test('without its engine a template is not ready, and others are not disturbed', { skip }, async (t) => {
  const server = await withDefinition(t);
  const files = new Map([['demo/Chart.yaml', Buffer.from('{apiVersion: v2, name: demo, version: 1.0.0}')]]);
  const { folder } = await layout(await chart(files));
  const plain = await layout({ name: 'registry.test/modules/plain:1.0' });
  const both = JSON.stringify({ schemaVersion: 2, manifests: [folder, plain.folder].flatMap((one) => entries(one)) });
  const blobs = { sha256: { ...folder.blobs.sha256, ...plain.folder.blobs.sha256 } };
  await startApp(t, {
    CATALOG_SOURCES: 'kubernetes',
    KUBECONFIG: server.kubeconfig,
    DATA_DIR: t.testdir({ layout: { ...folder, 'index.json': both, blobs } }),
    MODULES_DIR: `${t.testdirName}/layout`,
    HELM_BIN: 'helm-that-is-not-there',
  });
  await server.apply(someTemplate({ source: SOURCE, tag: '1.0' }, { name: 'chart' }));
  const parameters = [{ name: 'name', type: 'string', required: true }];
  await server.apply(
    someTemplate({ source: 'oci://registry.test/modules/plain', tag: '1.0', parameters }, { name: 'plain' }),
  );
  await untilCondition(server, 'chart', 'False EngineUnavailable');
  await untilCondition(server, 'plain', 'True Ready');
});

/** The manifests of a layout's index. */
function entries(folder: { 'index.json': string }): unknown[] {
  return JSON.parse(folder['index.json']).manifests;
}

test('with OPERATOR=false no status is written, and nobody asks for the lease', { skip }, async (t) => {
  const server = await withDefinition(t);
  const env = { CATALOG_SOURCES: 'kubernetes', KUBECONFIG: server.kubeconfig, OPERATOR: 'false' };
  const app = await startApp(t, env);
  await server.apply(someTemplate());
  const isListed = async () => (await app.inject('/api/v1/claim-templates/some')).statusCode === 200;
  await until(isListed, SEEN_MS, never('the template'));
  t.notOk('operator' in (await app.inject('/ready')).json().dependencies);
  t.notMatch(await server.kubectl(['get', 'ct', 'some', '-o', 'json']), /"status"/);
  t.same(
    (await server.auditLog()).filter(({ user }) => user === 'admin').map(({ resource }) => resource),
    ['claimtemplates'],
  );
});

test('the status follows the template: times change with statuses only, and events tell of nothing else', {
  skip,
}, async (t) => {
  const server = await withDefinition(t);
  const { folder } = await layout();
  await startOperator(t, { kubeconfig: server.kubeconfig, modulesDir: t.testdir(folder), times: quick });
  const parameters = [{ name: 'name', type: 'string', default: 'x' }];
  const good = { source: SOURCE, tag: '1.0', parameters };
  await server.apply(someTemplate({ ...good, ...invalid }));
  await untilCondition(server, 'some', 'False InvalidTemplate');
  await server.apply(someTemplate(good));
  await untilCondition(server, 'some', 'True Ready');
  const { status: before } = await stored(server, 'some');
  await nextSecond();
  await server.apply(someTemplate({ ...good, title: 'another' }));
  await untilCondition(server, 'some', 'True Ready');
  const { status: after, metadata } = await stored(server, 'some');
  t.equal(after.observedGeneration, metadata.generation);
  t.not(after.observedGeneration, before.observedGeneration);
  t.same(times(after), times(before));
  await server.apply(someTemplate({ ...good, tag: '2.0' }));
  await untilCondition(server, 'some', 'False ModuleUnavailable');
  const { status: broken } = await stored(server, 'some');
  t.equal(times(broken).Accepted, times(before).Accepted);
  t.not(times(broken).ModuleResolved, times(before).ModuleResolved);
  t.not(times(broken).Ready, times(before).Ready);
  t.equal(broken.module, undefined);
  const told = ['Warning InvalidTemplate', 'Normal Ready', 'Warning ModuleUnavailable'];
  await until(async () => (await eventsOf(server, 'some')).length >= told.length, SEEN_MS, never('all events'));
  t.same(await eventsOf(server, 'some'), told);
});

test('a status that somebody else wrote is put right', { skip }, async (t) => {
  const server = await withDefinition(t);
  await startOperator(t, { kubeconfig: server.kubeconfig, times: quick });
  await server.apply(someTemplate(volumeclaim));
  await untilCondition(server, 'some', 'False ModuleInvalid');
  const lie = '{"status":{"conditions":[],"parameters":99}}';
  await server.kubectl(['patch', 'ct', 'some', '--subresource=status', '--type=merge', '-p', lie]);
  await untilCondition(server, 'some', 'False ModuleInvalid');
  t.equal((await stored(server, 'some')).status.parameters, 0);
});

function times({ conditions = [] }: Awaited<ReturnType<typeof stored>>['status']) {
  return Object.fromEntries(conditions.map(({ type, lastTransitionTime }) => [type, lastTransitionTime]));
}

/** Times of conditions have no fractions: only from the next second on a later one can be told from them. */
async function nextSecond(): Promise<void> {
  const second = Math.floor(Date.now() / 1000);
  await until(() => Math.floor(Date.now() / 1000) > second, SEEN_MS, never('the next second'));
}

function never(what: string) {
  return (cause: unknown) => new Error(`${what} is never seen`, { cause });
}
