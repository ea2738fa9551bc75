import { rmSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { type Test, test } from 'tap';
import {
  type Artifact,
  MAX_CONFIG_BYTES,
  MAX_LAYER_BYTES,
  MAX_MANIFEST_BYTES,
  readArtifact,
} from '../../src/modules/artifact.ts';
import { INDEX_MEDIA_TYPE } from '../../src/modules/manifest.ts';
import { ociLayout } from '../../src/modules/oci-layout.ts';
import { parseReference } from '../../src/modules/reference.ts';
import { blobPath, type LayoutOptions, layout, MODULE_YAML, SOURCE, tar } from './layout.ts';

async function read(folder: string): Promise<Artifact> {
  const registry = ociLayout(folder);
  const reference = parseReference({ source: SOURCE, tag: '1.0' });
  return readArtifact(registry, reference, await registry.resolve(reference));
}

const readNew = async (t: Test, options: LayoutOptions) => read(t.testdir((await layout(options)).folder));
const invalid = (message: RegExp) => ({ name: 'ModuleError', reason: 'invalid', message });

test('a module is read with its digest, engine and files', async (t) => {
  const { folder, manifest } = await layout();
  const artifact = await read(t.testdir(folder));
  t.equal(artifact.digest, manifest);
  t.equal(artifact.engine, 'cel');
  t.same([...artifact.files.keys()], ['module.yaml']);
  t.equal(artifact.files.get('module.yaml')?.toString(), MODULE_YAML);
});

test('a manifest without artifactType is a module by the type of its config', async (t) => {
  t.equal((await readNew(t, { manifest: { artifactType: undefined } })).engine, 'cel');
});

test('content that does not have its digest is refused, whichever part it is', async (t) => {
  for (const part of ['manifest', 'config', 'layer'] as const) {
    const { folder, ...digests } = await layout();
    const place = t.testdir(folder);
    const path = blobPath(place, digests[part]);
    const content = Buffer.from(folder.blobs.sha256[digests[part].slice(7)] as Buffer);
    content.writeUInt8(content.readUInt8(9) ^ 1, 9);
    writeFileSync(path, content);
    await t.rejects(read(place), invalid(new RegExp(`${part} sha256:.* has other content`)), part);
  }
});

test('a part that is missing makes the module unavailable, without telling where the layout is', async (t) => {
  for (const part of ['manifest', 'config', 'layer'] as const) {
    const { folder, ...digests } = await layout();
    const place = t.testdir(folder);
    rmSync(blobPath(place, digests[part]));
    const message = new RegExp(`^blob ${digests[part]} of the module layout cannot be read$`);
    await t.rejects(read(place), { reason: 'unavailable', message }, part);
  }
});

test('a size that is not the true one is refused, smaller or larger', async (t) => {
  const { folder } = await layout();
  const size = (folder.blobs.sha256[(await layout()).layer.slice(7)] as Buffer).length;
  await t.rejects(readNew(t, { layerDescriptor: { size: size - 1 } }), invalid(/layer .* but has more/));
  await t.rejects(readNew(t, { layerDescriptor: { size: size + 1 } }), invalid(/layer .* but has \d+$/));
  await t.rejects(readNew(t, { manifestDescriptor: { size: 1 } }), invalid(/manifest .* but has more/));
});

test('a manifest, config or layer beyond its limit is refused before it is read', async (t) => {
  const manifest = { annotations: { long: 'x'.repeat(MAX_MANIFEST_BYTES) } };
  await t.rejects(readNew(t, { manifest }), invalid(/^manifest .* more than 65536$/));
  const config = { engine: 'cel', long: 'x'.repeat(MAX_CONFIG_BYTES) };
  await t.rejects(readNew(t, { config }), invalid(/^config .* more than 65536$/));
  await t.rejects(
    readNew(t, { layerDescriptor: { size: MAX_LAYER_BYTES + 1 } }),
    invalid(/^layer .* more than 2097152$/),
  );
});

test('what is no Frontdesk module is refused by its media types', async (t) => {
  const image = 'application/vnd.oci.image.config.v1+json';
  const { config } = await layout();
  const cases: [LayoutOptions, RegExp][] = [
    [
      { manifest: { artifactType: 'application/vnd.cncf.helm.config.v1+json' } },
      /no Frontdesk module: the artifact is/,
    ],
    [{ manifest: { config: { mediaType: image, digest: config, size: 16 } } }, /its config is/],
    [{ layerDescriptor: { mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip' } }, /its layer is/],
    [{ manifestDescriptor: { mediaType: INDEX_MEDIA_TYPE } }, /a module is an image manifest/],
    [{ manifest: { mediaType: INDEX_MEDIA_TYPE } }, /manifest is not valid: \/mediaType/],
  ];
  for (const [options, message] of cases) await t.rejects(readNew(t, options), invalid(message), message.source);
});

test('a module has exactly one layer', async (t) => {
  await t.rejects(readNew(t, { manifest: { layers: [] } }), invalid(/one layer, this one has 0/));
});

test('a manifest or config that is malformed is refused with the field', async (t) => {
  await t.rejects(readNew(t, { manifest: { schemaVersion: 1 } }), invalid(/manifest is not valid: \/schemaVersion/));
  await t.rejects(readNew(t, { manifest: { layers: 'none' } }), invalid(/manifest is not valid: \/layers/));
  await t.rejects(readNew(t, { layerDescriptor: { digest: 'sha256:../../x' } }), invalid(/\/layers\/0\/digest/));
  await t.rejects(readNew(t, { layerDescriptor: { size: -1 } }), invalid(/\/layers\/0\/size/));
  await t.rejects(readNew(t, { config: { engine: 5 } }), invalid(/config is not valid: \/engine/));
  await t.rejects(readNew(t, { config: [] }), invalid(/config is not valid/));
});

test('an archive with a link is refused on the way from the layout too', async (t) => {
  const layer = gzipSync(await tar([{ name: 'module.yaml', type: 'symlink', linkname: '/etc/passwd' }]));
  await t.rejects(readNew(t, { layer }), invalid(/no plain file/));
});
