import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { test } from 'tap';
import { buildLayout, committedLayout, differences } from '../../hack/build-modules.ts';
import { createModules } from '../../src/modules/modules.ts';
import { ociLayout } from '../../src/modules/oci-layout.ts';

const templates = join(import.meta.dirname, '../../templates');

test('the committed layout is what its sources make: else run `node hack/build-modules.ts`', async (t) => {
  const { files } = await buildLayout();
  t.same(differences(files, await committedLayout()), []);
});

test('the layout depends on nothing but the sources', async (t) => {
  t.same(differences((await buildLayout()).files, (await buildLayout()).files), []);
  const place = t.testdir({});
  cpSync(join(templates, 'modules/src'), place, { recursive: true });
  t.same(differences((await buildLayout()).files, (await buildLayout(place)).files), [], 'not on place and time');
});

test('a source that changed, a stale blob and a missing one are seen', async (t) => {
  const { files } = await buildLayout();
  const place = t.testdir({});
  cpSync(join(templates, 'modules/src'), place, { recursive: true });
  writeFileSync(join(place, 'volumeclaim/README.md'), 'new');
  const found = differences((await buildLayout(place)).files, files);
  t.ok(found.some((line) => line === 'index.json differs'));
  t.equal(found.filter((line) => line.endsWith('is stale')).length, 2, 'manifest and layer');
  t.equal(found.filter((line) => line.endsWith('is missing')).length, 2);
});

test('each module is in the layout under the name that its template has, with that digest', async (t) => {
  const { digests } = await buildLayout();
  const modules = createModules({ registry: ociLayout(join(templates, 'modules/oci')) });
  for (const [name, digest] of digests) {
    const [source = '', tag] = `oci://${name}`.split(/:(?=[^/:]*$)/);
    t.equal((await modules.resolve({ source, tag })).digest, digest, name);
    t.equal((await modules.resolve({ source: `${source}@${digest}` })).digest, digest);
  }
});

test('layers are gzip that any tool can read', async (t) => {
  const { files } = await buildLayout();
  const layers = [...files.values()].filter((bytes) => bytes[0] === 0x1f && bytes[1] === 0x8b);
  t.equal(layers.length, 2);
  for (const layer of layers) t.equal(gunzipSync(layer).length % 512, 0);
});
