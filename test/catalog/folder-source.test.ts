import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { type Test, test } from 'tap';
import { startApp } from '../app.ts';
import { templateYaml } from './templates.ts';

test('a template that is added, changed and removed is served so without a restart', async (t) => {
  const { app, dir } = await watched(t, {});
  await writeFile(`${dir}/one.yaml`, templateYaml('one', { title: 'first' }));
  await until(t, async () => (await titles(app)).one === 'first');
  await writeFile(`${dir}/one.yaml`, templateYaml('one', { title: 'second' }));
  await until(t, async () => (await titles(app)).one === 'second');
  await rm(`${dir}/one.yaml`);
  await until(t, async () => !('one' in (await titles(app))));
});

test('a changed template is ordered by its new rules', async (t) => {
  const parameter = { name: 'templateName', type: 'string', default: 'a' };
  const { app, dir } = await watched(t, { 'one.yaml': templateYaml('one', { parameters: [parameter] }) });
  const order = (templateName: string) =>
    app.inject({
      method: 'POST',
      url: '/api/v1/claim-templates/one/order',
      payload: { parameters: { templateName }, dryRun: true },
    });
  t.equal((await order('long')).statusCode, 200);
  await writeFile(`${dir}/one.yaml`, templateYaml('one', { parameters: [{ ...parameter, maxLength: 2 }] }));
  await until(t, async () => (await order('long')).statusCode === 422);
});

test('a broken file is reported by name and reason, and takes nothing else down', async (t) => {
  const broken = {
    'tabs.yaml': 'a:\n\t- b: [',
    'list.yaml': '- 1',
    'kind.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}',
    'bomb.yaml': `a: &a [x]\n${'bcdefghijk'.split('').reduce((text, key, i, keys) => `${text}${key}: &${key} [${`*${keys[i - 1] ?? 'a'},`.repeat(9)}]\n`, '')}`,
    'type.json': templateYaml('type', { parameters: [{ name: 'x', type: 'strong' }] }),
    'default.yaml': templateYaml('default', { parameters: [{ name: 'x', type: 'integer', default: 'many' }] }),
    'huge.yaml': `# ${'x'.repeat(1_100_000)}`,
  };
  const { app } = await watched(t, { 'good.yaml': templateYaml('good'), ...broken });
  t.same(Object.keys(await titles(app)), ['good']);
  const ready = await app.inject('/ready');
  t.equal(ready.statusCode, 200);
  const { rejected } = ready.json().dependencies.catalog;
  const reasons: Record<string, string> = Object.fromEntries(
    rejected.map(({ origin, problems }: { origin: string; problems: string[] }) => [origin, problems.join('; ')]),
  );
  t.same(Object.keys(reasons).sort(), Object.keys(broken).sort());
  t.match(reasons['tabs.yaml'], /^yaml: /);
  t.match(reasons['list.yaml'], /document: expected object/);
  t.match(reasons['kind.yaml'], /kind: /);
  t.match(reasons['bomb.yaml'], /alias/);
  t.match(reasons['type.json'], /spec\.parameters\[0\]\.type: must be one of string, integer/);
  t.match(reasons['default.yaml'], /spec\.parameters\[0\]\.default: must be an integer/);
  t.match(reasons['huge.yaml'], /file: is larger than/);
});

test('a file that breaks later is reported, and served again when it is mended', async (t) => {
  const { app, dir } = await watched(t, { 'one.yaml': templateYaml('one'), 'two.yaml': templateYaml('two') });
  await writeFile(`${dir}/one.yaml`, '{');
  await until(t, async () => Object.keys(await titles(app)).join() === 'two');
  await writeFile(`${dir}/one.yaml`, templateYaml('one'));
  await until(t, async () => Object.keys(await titles(app)).join() === 'one,two');
});

test('of two files with one name the first wins, and the other is reported', async (t) => {
  const { app } = await watched(t, {
    'a.yaml': templateYaml('same', { title: 'from a' }),
    'b.yaml': templateYaml('same', { title: 'from b' }),
  });
  t.same(await titles(app), { same: 'from a' });
  const { rejected } = (await app.inject('/ready')).json().dependencies.catalog;
  t.same(rejected, [{ origin: 'b.yaml', problems: ['metadata.name: same is taken by a.yaml'] }]);
});

test('a folder mounted by Kubernetes (links, swapped at once) is followed', async (t) => {
  const { app, dir } = await watched(t, {});
  await mkdir(`${dir}/..v1`);
  await writeFile(`${dir}/..v1/one.yaml`, templateYaml('one', { title: 'v1' }));
  await symlink('..v1', `${dir}/..data`);
  await symlink('..data/one.yaml', `${dir}/one.yaml`);
  await until(t, async () => (await titles(app)).one === 'v1');
  await mkdir(`${dir}/..v2`);
  await writeFile(`${dir}/..v2/one.yaml`, templateYaml('one', { title: 'v2' }));
  await symlink('..v2', `${dir}/..data_tmp`);
  await rename(`${dir}/..data_tmp`, `${dir}/..data`);
  await until(t, async () => (await titles(app)).one === 'v2');
});

test('a folder that goes away leaves its templates in place, says so, and is read again when it is back', async (t) => {
  const { app, dir } = await watched(t, { 'one.yaml': templateYaml('one') });
  await rename(dir, `${dir}-away`);
  await until(t, async () =>
    /ENOENT/.test((await app.inject('/ready')).json().dependencies.catalog.sources.folder.reason ?? ''),
  );
  t.same(Object.keys(await titles(app)), ['one']);
  t.equal((await app.inject('/ready')).statusCode, 200);
  await writeFile(`${dir}-away/two.yaml`, templateYaml('two'));
  await rename(`${dir}-away`, dir);
  await until(t, async () => Object.keys(await titles(app)).join() === 'one,two');
});

test('a ClaimTemplate of another group, with fields unknown to us and words in metadata, is taken', async (t) => {
  const document = {
    apiVersion: 'claims.example.org/v1alpha1',
    kind: 'ClaimTemplate',
    metadata: { name: 'foreign', title: 'Foreign', tags: ['x'], annotations: { a: 'b' } },
    spec: {
      type: 'x',
      source: 'oci://r.example.org/x',
      renderer: 'v2',
      parameters: [{ name: 'a', type: 'string', since: '1.2' }],
    },
  };
  const { app } = await watched(t, { 'foreign.json': JSON.stringify(document) });
  const served = (await app.inject('/api/v1/claim-templates/foreign')).json();
  t.match(served, {
    apiVersion: 'frontdesk.dev/v1alpha1',
    metadata: { name: 'foreign', title: 'Foreign', tags: ['x'] },
  });
});

async function watched(t: Test, files: Record<string, string>) {
  const dir = t.testdir({ templates: files, data: {} });
  const app = await startApp(t, { TEMPLATES_DIR: `${dir}/templates`, DATA_DIR: `${dir}/data` });
  return { app, dir: `${dir}/templates` };
}

async function titles(app: FastifyInstance): Promise<Record<string, string | undefined>> {
  const { items } = (await app.inject('/api/v1/claim-templates')).json();
  return Object.fromEntries(
    items.map(({ metadata }: { metadata: Record<string, string> }) => [metadata.name, metadata.title]),
  );
}

/** Looks until it holds; a change that is never seen ends in the time limit of the test. */
async function until(t: Test, holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
  t.pass('seen');
}
