import { rmSync } from 'node:fs';
import { test } from 'tap';
import { firstOf } from '../../src/modules/first-of.ts';
import { createModules } from '../../src/modules/modules.ts';
import { ociLayout } from '../../src/modules/oci-layout.ts';
import { failure } from './failure.ts';
import { blobPath, layout, SOURCE } from './layout.ts';
import { moduleRegistryContract } from './module-registry.contract.ts';

const empty = { 'oci-layout': '{"imageLayoutVersion":"1.0.0"}', 'index.json': '{"schemaVersion":2,"manifests":[]}' };
const demo = { source: SOURCE, tag: '1.0' };

moduleRegistryContract('first of two, found in the first', async (t, options) => {
  const folder = t.testdir({ first: (await layout(options)).folder, second: empty });
  return { registry: firstOf(ociLayout(`${folder}/first`), ociLayout(`${folder}/second`)), source: SOURCE };
});

moduleRegistryContract('first of two, found in the second', async (t, options) => {
  const folder = t.testdir({ first: empty, second: (await layout(options)).folder });
  return { registry: firstOf(ociLayout(`${folder}/first`), ociLayout(`${folder}/second`)), source: SOURCE };
});

test('what both have is taken from the first, and what is missing of it from the second', async (t) => {
  const other = await layout({ manifest: { annotations: { from: 'second' } } });
  const { folder, manifest, layer } = await layout();
  const place = t.testdir({ first: folder, second: other.folder });
  const modules = () => createModules({ registry: firstOf(ociLayout(`${place}/first`), ociLayout(`${place}/second`)) });
  t.equal((await modules().resolve(demo)).digest, manifest);
  rmSync(blobPath(`${place}/first`, layer));
  t.equal((await modules().resolve(demo)).digest, manifest);
});

test('a first that is broken is not passed over', async (t) => {
  const place = t.testdir({ second: (await layout()).folder });
  const registry = firstOf(ociLayout(`${place}/first`), ociLayout(`${place}/second`));
  t.match(await failure(createModules({ registry }).resolve(demo)), { message: /oci-layout of the module layout/ });
});
