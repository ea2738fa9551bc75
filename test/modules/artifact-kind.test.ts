import { type Test, test } from 'tap';
import { readArtifact } from '../../src/modules/artifact.ts';
import { artifactKind } from '../../src/modules/artifact-kind.ts';
import { digestOf } from '../../src/modules/digest.ts';
import { KCL_LAYER_MEDIA_TYPE, LAYER_MEDIA_TYPE, type Manifest } from '../../src/modules/manifest.ts';
import { ociLayout } from '../../src/modules/oci-layout.ts';
import { parseReference } from '../../src/modules/reference.ts';
import { chart, kclModule, type LayoutOptions, layout, SOURCE } from './layout.ts';

const files = new Map([['demo/a.txt', Buffer.from('text')]]);

async function read(t: Test, options: LayoutOptions) {
  const registry = ociLayout(t.testdir((await layout(options)).folder));
  const reference = parseReference({ source: SOURCE, tag: '1.0' });
  return readArtifact(registry, reference, await registry.resolve(reference));
}

test('a chart and a KCL module are known by their media types, and unpacked', async (t) => {
  for (const [engine, options] of [
    ['helm', await chart(files)],
    ['kcl', await kclModule(files)],
  ] as const) {
    const artifact = await read(t, options);
    t.equal(artifact.engine, engine);
    t.same(artifact.files, files);
  }
});

const descriptor = (mediaType: string) => ({ mediaType, digest: digestOf(Buffer.from(mediaType)), size: 1 });
const helmConfig = descriptor('application/vnd.cncf.helm.config.v1+json');
const content = descriptor('application/vnd.cncf.helm.chart.content.v1.tar+gzip');
const provenance = descriptor('application/vnd.cncf.helm.chart.provenance.v1.prov');
const tarball = descriptor(KCL_LAYER_MEDIA_TYPE);
const image = descriptor('application/vnd.oci.image.config.v1+json');

/** Manifests as they are found, and the engine, or why there is none. */
const cases: [what: string, manifest: Omit<Manifest, 'schemaVersion'>, found: string | RegExp][] = [
  ['a chart', { config: helmConfig, layers: [content] }, 'helm'],
  ['a signed chart', { config: helmConfig, layers: [content, provenance] }, 'helm'],
  ['a signed chart, the other way around', { config: helmConfig, layers: [provenance, content] }, 'helm'],
  ['a signature without chart', { config: helmConfig, layers: [provenance] }, /one layer, this one has 0/],
  ['two charts', { config: helmConfig, layers: [content, content] }, /one layer, this one has 2/],
  [
    'a chart of another type',
    { config: helmConfig, layers: [descriptor(LAYER_MEDIA_TYPE)] },
    /its layer is .*not application\/vnd.cncf/,
  ],
  [
    'a KCL module of today',
    { artifactType: KCL_LAYER_MEDIA_TYPE, config: descriptor('application/vnd.oci.empty.v1+json'), layers: [tarball] },
    'kcl',
  ],
  ['a KCL module of before', { config: descriptor(KCL_LAYER_MEDIA_TYPE), layers: [tarball] }, 'kcl'],
  [
    'a KCL module by its name',
    { config: image, layers: [tarball], annotations: { 'org.kcllang.package.name': 'a' } },
    'kcl',
  ],
  ['a KCL module of two layers', { config: descriptor(KCL_LAYER_MEDIA_TYPE), layers: [tarball, tarball] }, /has 2/],
  ['a container image', { config: image, layers: [tarball] }, /this is no Frontdesk module: its config is/],
];

for (const [what, manifest, found] of cases) {
  test(`${what} is ${typeof found === 'string' ? `rendered by ${found}` : 'refused'}`, async (t) => {
    if (typeof found === 'string') t.equal(artifactKind({ schemaVersion: 2, ...manifest }).engine, found);
    else t.throws(() => artifactKind({ schemaVersion: 2, ...manifest }), { reason: 'invalid', message: found });
  });
}
