import { test } from 'tap';
import { MANIFEST_MEDIA_TYPE, REF_NAME_ANNOTATION } from '../../src/modules/manifest.ts';
import { ociLayout } from '../../src/modules/oci-layout.ts';
import { parseReference } from '../../src/modules/reference.ts';
import { layout, NAME, SOURCE } from './layout.ts';
import { moduleRegistryContract } from './module-registry.contract.ts';

moduleRegistryContract('layout', async (t, options) => {
  return { registry: ociLayout(t.testdir((await layout(options)).folder)), source: SOURCE };
});

const tagged = parseReference({ source: SOURCE, tag: '1.0' });

test('a module is found by its full name and by its digest', async (t) => {
  const { folder, manifest } = await layout();
  const registry = ociLayout(t.testdir(folder));
  const expected = { mediaType: MANIFEST_MEDIA_TYPE, digest: manifest };
  t.match(await registry.resolve(tagged), expected);
  t.match(await registry.resolve(parseReference({ source: `${SOURCE}@${manifest}` })), expected);
});

test('a digest wins over a tag that is not there', async (t) => {
  const { folder, manifest } = await layout();
  const registry = ociLayout(t.testdir(folder));
  const reference = parseReference({ source: `${SOURCE}@${manifest}`, tag: 'other' });
  t.equal((await registry.resolve(reference)).digest, manifest);
});

test('a tag, path, registry or digest that is not there makes the module unavailable', async (t) => {
  const registry = ociLayout(t.testdir((await layout()).folder));
  const references = [
    { source: SOURCE, tag: '2.0' },
    { source: SOURCE },
    { source: `${SOURCE}/more`, tag: '1.0' },
    { source: SOURCE.replace('registry.test', 'other.test'), tag: '1.0' },
    { source: `${SOURCE}@sha256:${'0'.repeat(64)}` },
  ];
  for (const reference of references) {
    await t.rejects(registry.resolve(parseReference(reference)), {
      name: 'ModuleError',
      reason: 'unavailable',
      message: /^module registry|^module other/,
    });
  }
});

test('two different modules under one name are refused', async (t) => {
  const entry = (digit: string) => ({
    mediaType: MANIFEST_MEDIA_TYPE,
    digest: `sha256:${digit.repeat(64)}`,
    size: 1,
    annotations: { [REF_NAME_ANNOTATION]: NAME },
  });
  const index = { schemaVersion: 2, manifests: [entry('1'), entry('2')] };
  const folder = { ...(await layout()).folder, 'index.json': JSON.stringify(index) };
  await t.rejects(ociLayout(t.testdir(folder)).resolve(tagged), { reason: 'invalid', message: /more than once/ });
});

test('a folder that is missing or no layout is refused, without telling where it is', async (t) => {
  const { folder } = await layout();
  const resolve = (content: Parameters<typeof t.testdir>[0]) => ociLayout(t.testdir(content)).resolve(tagged);
  await t.rejects(ociLayout('/nowhere').resolve(tagged), {
    reason: 'unavailable',
    message: /^oci-layout of the module/,
  });
  await t.rejects(resolve({ 'index.json': folder['index.json'] }), { name: 'ModuleError', reason: 'unavailable' });
  await t.rejects(resolve({ 'oci-layout': folder['oci-layout'] }), {
    reason: 'unavailable',
    message: /^index.json of/,
  });
  await t.rejects(resolve({ ...folder, 'oci-layout': '{"imageLayoutVersion":"2.0.0"}' }), {
    name: 'ModuleError',
    reason: 'invalid',
  });
  await t.rejects(resolve({ ...folder, 'index.json': '{' }), { reason: 'invalid', message: 'index.json is not JSON' });
  await t.rejects(resolve({ ...folder, 'index.json': '[]' }), {
    reason: 'invalid',
    message: /index.json is not valid/,
  });
  const broken = folder['index.json'].replace('sha256:', 'md5:');
  await t.rejects(resolve({ ...folder, 'index.json': broken }), {
    reason: 'invalid',
    message: /\/manifests\/0\/digest/,
  });
});

test('an index larger than allowed is not read to its end', async (t) => {
  const folder = { ...(await layout()).folder, 'index.json': ' '.repeat(5_000_000) };
  await t.rejects(ociLayout(t.testdir(folder)).resolve(tagged), {
    reason: 'invalid',
    message: /more than 4194304 bytes/,
  });
});
