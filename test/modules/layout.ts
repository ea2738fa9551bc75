import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { type Digest, digestOf } from '../../src/modules/digest.ts';
import {
  ARTIFACT_TYPE,
  CONFIG_MEDIA_TYPE,
  HELM_CHART_MEDIA_TYPE,
  HELM_CONFIG_MEDIA_TYPE,
  KCL_LAYER_MEDIA_TYPE,
  KCL_NAME_ANNOTATION,
  LAYER_MEDIA_TYPE,
  MANIFEST_MEDIA_TYPE,
  REF_NAME_ANNOTATION,
} from '../../src/modules/manifest.ts';
import type { Files } from '../../src/modules/unpack.ts';

export const SOURCE = 'oci://registry.test/modules/demo';
export const NAME = 'registry.test/modules/demo:1.0';

export const MODULE_YAML = `
apiVersion: frontdesk.dev/v1alpha1
kind: Module
metadata: {name: demo}
spec:
  resources:
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "\${parameters.name}"}
`;

type Entry = Parameters<ReturnType<typeof pack>['entry']>[0] & { content?: string | Uint8Array };

/** A tar of any entries, also ones that no module may have. */
export async function tar(entries: Entry[]): Promise<Buffer> {
  const stream = pack();
  // The same entries are the same bytes, whenever they are packed.
  for (const { content = '', ...header } of entries) stream.entry({ mtime: new Date(0), ...header }, content);
  stream.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** What to put into a layout in place of what a good module has. */
export interface LayoutOptions {
  name?: string;
  layer?: Uint8Array;
  /** Fields of the manifest that differ. */
  manifest?: object;
  config?: object;
  configType?: string;
  /** Fields of the layer's descriptor that differ. */
  layerDescriptor?: object;
  /** Fields of the manifest's descriptor in the index that differ. */
  manifestDescriptor?: object;
}

type Folder = { [name: string]: string | Buffer | Folder };

/** A layout with one module, as the fixture of `t.testdir()`, and the digests of its parts. */
export async function layout(options: LayoutOptions = {}) {
  const blobs: Folder = {};
  const add = (mediaType: string, content: Uint8Array) => {
    const digest = digestOf(content);
    blobs[digest.slice('sha256:'.length)] = Buffer.from(content);
    return { mediaType, digest, size: content.length };
  };
  const config = add(
    options.configType ?? CONFIG_MEDIA_TYPE,
    Buffer.from(JSON.stringify(options.config ?? { engine: 'cel' })),
  );
  const content = options.layer ?? gzipSync(await tar([{ name: 'module.yaml', content: MODULE_YAML }]));
  const layer = { ...add(LAYER_MEDIA_TYPE, content), ...options.layerDescriptor };
  const document = {
    schemaVersion: 2,
    mediaType: MANIFEST_MEDIA_TYPE,
    artifactType: ARTIFACT_TYPE,
    config,
    layers: [layer],
    ...options.manifest,
  };
  const manifest = {
    ...add(MANIFEST_MEDIA_TYPE, Buffer.from(JSON.stringify(document))),
    annotations: { [REF_NAME_ANNOTATION]: options.name ?? NAME },
    ...options.manifestDescriptor,
  };
  const folder = {
    'oci-layout': '{"imageLayoutVersion":"1.0.0"}',
    'index.json': JSON.stringify({ schemaVersion: 2, manifests: [manifest] }),
    blobs: { sha256: blobs },
  };
  return { folder, config: config.digest, layer: layer.digest, manifest: manifest.digest };
}

/** The options of a layout whose module is a chart with these files, as `helm push` makes it. */
export async function chart(files: Files): Promise<LayoutOptions> {
  return {
    configType: HELM_CONFIG_MEDIA_TYPE,
    config: { name: 'demo', version: '1.0.0', apiVersion: 'v2' },
    layer: gzipSync(await tar(entriesOf(files))),
    layerDescriptor: { mediaType: HELM_CHART_MEDIA_TYPE },
    manifest: { artifactType: undefined },
  };
}

/** The same for a KCL module, as `kcl mod push` makes it. */
export async function kclModule(files: Files): Promise<LayoutOptions> {
  return {
    configType: 'application/vnd.oci.empty.v1+json',
    config: {},
    layer: await tar(entriesOf(files)),
    layerDescriptor: {
      mediaType: KCL_LAYER_MEDIA_TYPE,
      annotations: { 'org.opencontainers.image.title': 'demo_1.0.tar' },
    },
    manifest: { artifactType: KCL_LAYER_MEDIA_TYPE, annotations: { [KCL_NAME_ANNOTATION]: 'demo' } },
  };
}

function entriesOf(files: Files): Entry[] {
  return [...files].map(([name, content]) => ({ name, content }));
}

/** Where a blob is in the folder. */
export function blobPath(folder: string, digest: Digest): string {
  return `${folder}/blobs/${digest.replace(':', '/')}`;
}
