import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { test } from 'tap';
import { createModules, FAILURE_TTL_MS, MAX_MODULES, TAG_TTL_MS } from '../../src/modules/modules.ts';
import { ociLayout } from '../../src/modules/oci-layout.ts';
import type { ModuleRegistry } from '../../src/modules/registry.ts';
import { blobPath, layout, MODULE_YAML, SOURCE, tar } from './layout.ts';

const demo = { source: SOURCE, tag: '1.0' };

/** The layout in `folder`, counting what is asked of it. */
function counting(folder: string) {
  const counts = { resolve: 0, manifest: 0, blob: 0 };
  const inner = ociLayout(folder);
  const registry: ModuleRegistry = {
    resolve: (reference) => {
      counts.resolve += 1;
      return inner.resolve(reference);
    },
    manifest: (reference, digest) => {
      counts.manifest += 1;
      return inner.manifest(reference, digest);
    },
    blob: (reference, digest) => {
      counts.blob += 1;
      return inner.blob(reference, digest);
    },
  };
  return { counts, registry };
}

test('any number of callers at once cost one read', async (t) => {
  const { folder, manifest } = await layout();
  const { counts, registry } = counting(t.testdir(folder));
  const modules = createModules({ registry });
  const all = await Promise.all(Array.from({ length: 50 }, () => modules.resolve(demo)));
  t.equal(new Set(all).size, 1);
  t.equal(all[0]?.digest, manifest);
  t.same(counts, { resolve: 1, manifest: 1, blob: 2 });
  await modules.resolve(demo);
  t.same(counts, { resolve: 1, manifest: 1, blob: 2 });
});

test('two references to one digest share the module, also when they are asked for at once', async (t) => {
  const { folder, manifest } = await layout();
  const { counts, registry } = counting(t.testdir(folder));
  const modules = createModules({ registry });
  const pinned = { source: `${SOURCE}@${manifest}` };
  const [one, other] = await Promise.all([modules.resolve(demo), modules.resolve(pinned)]);
  t.equal(one, other);
  t.same(counts, { resolve: 2, manifest: 1, blob: 2 });
});

test('a resolved module renders', async (t) => {
  const modules = createModules({ registry: ociLayout(t.testdir((await layout()).folder)) });
  const renderer = (await modules.resolve(demo)).bind([{ name: 'name', type: 'string', required: true }]);
  t.equal(await renderer.render({ name: 'hello' }), 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: hello\n');
});

test('the least recently used module goes first', async (t) => {
  const tags = Array.from({ length: MAX_MODULES + 1 }, (_, index) => `1.${index}`);
  const layouts = await Promise.all(
    tags.map((tag) => layout({ name: `registry.test/modules/demo:${tag}`, manifest: { annotations: { tag } } })),
  );
  const [first] = layouts;
  if (first === undefined) throw new Error('no layout');
  const manifests = layouts.flatMap(({ folder }) => JSON.parse(folder['index.json']).manifests);
  const sha256 = Object.assign({}, ...layouts.map(({ folder }) => folder.blobs.sha256));
  const index = JSON.stringify({ schemaVersion: 2, manifests });
  const { counts, registry } = counting(t.testdir({ ...first.folder, 'index.json': index, blobs: { sha256 } }));
  const modules = createModules({ registry });
  for (const tag of tags.slice(0, -1)) await modules.resolve({ source: SOURCE, tag });
  await modules.resolve({ source: SOURCE, tag: '1.0' });
  t.equal(counts.manifest, MAX_MODULES, 'all of them are kept');
  await modules.resolve({ source: SOURCE, tag: `1.${MAX_MODULES}` });
  await modules.resolve({ source: SOURCE, tag: '1.0' });
  t.equal(counts.manifest, MAX_MODULES + 1, 'the one that was used last is kept');
  await modules.resolve({ source: SOURCE, tag: '1.1' });
  t.equal(counts.manifest, MAX_MODULES + 2, 'the one that was not used longest is read again');
});

test('a tag that moves is followed after a while, not on every order', async (t) => {
  let now = 1;
  const before = await layout();
  const layer = gzipSync(await tar([{ name: 'module.yaml', content: `${MODULE_YAML}# new\n` }]));
  const after = await layout({ layer });
  const place = t.testdir({ served: before.folder, next: after.folder });
  const { counts, registry } = counting(`${place}/served`);
  const modules = createModules({ registry, now: () => now });
  t.equal((await modules.resolve(demo)).digest, before.manifest);
  cpSync(`${place}/next`, `${place}/served`, { recursive: true });
  now = TAG_TTL_MS;
  t.equal((await modules.resolve(demo)).digest, before.manifest);
  now = TAG_TTL_MS + 2;
  t.equal((await modules.resolve(demo)).digest, after.manifest);
  t.equal(counts.resolve, 2);
});

test('the last known module serves on while the registry is away', async (t) => {
  let now = 1;
  const { folder, manifest } = await layout();
  const place = t.testdir({ served: folder });
  const { counts, registry } = counting(`${place}/served`);
  const modules = createModules({ registry, now: () => now });
  await modules.resolve(demo);
  rmSync(`${place}/served`, { recursive: true });
  now = TAG_TTL_MS + 2;
  t.equal((await modules.resolve(demo)).digest, manifest);
  await modules.resolve(demo);
  t.equal(counts.resolve, 2, 'the registry is left alone for a while');
  now += FAILURE_TTL_MS + 1;
  await modules.resolve(demo);
  t.equal(counts.resolve, 3);
});

test('a tag that was taken away is not served on, though it was known', async (t) => {
  let now = 1;
  const { folder } = await layout();
  const place = t.testdir(folder);
  const modules = createModules({ registry: ociLayout(place), now: () => now });
  await modules.resolve(demo);
  writeFileSync(`${place}/index.json`, '{"schemaVersion":2,"manifests":[]}');
  now = TAG_TTL_MS + 2;
  await t.rejects(modules.resolve(demo), { reason: 'unavailable', message: /was not found/ });
});

test('a failure is answered again for a short while, then tried again', async (t) => {
  let now = 1;
  const { folder, layer } = await layout();
  const place = t.testdir({ served: folder, copy: (await layout()).folder });
  rmSync(blobPath(`${place}/served`, layer));
  const { counts, registry } = counting(`${place}/served`);
  const modules = createModules({ registry, now: () => now });
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => modules.resolve(demo)));
  t.ok(results.every(({ status }) => status === 'rejected'));
  await t.rejects(modules.resolve(demo), { name: 'ModuleError', reason: 'unavailable' });
  t.equal(counts.manifest, 1);
  cpSync(`${place}/copy`, `${place}/served`, { recursive: true });
  now = FAILURE_TTL_MS + 2;
  await t.resolves(modules.resolve(demo));
  t.equal(counts.manifest, 2);
});

test('a tag that is not there is asked for again after a short while', async (t) => {
  let now = 1;
  const { counts, registry } = counting(t.testdir((await layout()).folder));
  const modules = createModules({ registry, now: () => now });
  for (const time of [1, FAILURE_TTL_MS + 2]) {
    now = time;
    await t.rejects(modules.resolve({ ...demo, tag: '9' }), { reason: 'unavailable', message: /demo:9 was not found/ });
    await t.rejects(modules.resolve({ ...demo, tag: '9' }), { name: 'ModuleError', reason: 'unavailable' });
  }
  t.equal(counts.resolve, 2);
});

test('an engine that is not there is refused by name', async (t) => {
  const modules = createModules({
    registry: ociLayout(t.testdir((await layout({ config: { engine: 'jsonnet' } })).folder)),
  });
  await t.rejects(modules.resolve(demo), { reason: 'invalid', message: /engine "jsonnet"; there are: cel, helm, kcl/ });
});

test('a module without module.yaml is refused', async (t) => {
  const layer = gzipSync(await tar([{ name: 'README.md', content: 'x' }]));
  const modules = createModules({ registry: ociLayout(t.testdir((await layout({ layer })).folder)) });
  await t.rejects(modules.resolve(demo), { reason: 'invalid', message: /no module.yaml/ });
});

test('a source that is not one is refused without asking the registry', async (t) => {
  const { counts, registry } = counting(t.testdir((await layout()).folder));
  await t.rejects(createModules({ registry }).resolve({ source: 'nonsense' }), {
    name: 'ModuleError',
    reason: 'invalid',
  });
  t.equal(counts.resolve, 0);
});

test('a registry that answers another digest than was asked for is not believed', async (t) => {
  const { folder } = await layout();
  const inner = ociLayout(t.testdir(folder));
  const lying: ModuleRegistry = {
    ...inner,
    resolve: () => inner.resolve({ registry: 'registry.test', repository: 'modules/demo', tag: '1.0' }),
  };
  const asked = { source: `${SOURCE}@sha256:${'0'.repeat(64)}` };
  await t.rejects(createModules({ registry: lying }).resolve(asked), { reason: 'invalid', message: /was asked for/ });
});
