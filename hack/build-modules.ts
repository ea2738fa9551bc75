// Builds templates/modules/oci, the OCI image layout of the built-in modules, from templates/modules/src/<name>/.
// The bytes depend on the sources alone, so that a check can compare them: `node hack/build-modules.ts [--check]`.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { crc32 } from 'node:zlib';
import { pack } from 'tar-stream';
import { parse } from 'yaml';
import { type Digest, digestOf } from '../src/modules/digest.ts';
import {
  ARTIFACT_TYPE,
  CONFIG_MEDIA_TYPE,
  INDEX_MEDIA_TYPE,
  LAYER_MEDIA_TYPE,
  MANIFEST_MEDIA_TYPE,
  REF_NAME_ANNOTATION,
} from '../src/modules/manifest.ts';

/** Registry and path under which the built-in templates name their modules. */
const REPOSITORY = 'registry.frontdesk.dev/modules';
const modules = join(import.meta.dirname, '../templates/modules');
const sources = join(modules, 'src');
const target = join(modules, 'oci');

/** Files by path; sorted by it wherever order matters. */
export type FileMap = ReadonlyMap<string, Buffer>;

/** The files of the layout as they should be, and the digest of each module by its reference. */
export async function buildLayout(from = sources): Promise<{ files: FileMap; digests: Map<string, Digest> }> {
  const files = new Map<string, Buffer>();
  const digests = new Map<string, Digest>();
  const manifests: object[] = [];
  for (const name of (await readdir(from)).sort()) {
    const { version, manifest } = await addModule(files, name, await readFiles(join(from, name)));
    const reference = `${REPOSITORY}/${name}:${version}`;
    digests.set(reference, manifest.digest);
    const annotations = { [REF_NAME_ANNOTATION]: reference };
    manifests.push({ ...manifest, artifactType: ARTIFACT_TYPE, annotations });
  }
  files.set('oci-layout', json({ imageLayoutVersion: '1.0.0' }));
  files.set('index.json', json({ schemaVersion: 2, mediaType: INDEX_MEDIA_TYPE, manifests }));
  return { files, digests };
}

/** What differs between two sets of files, one line each. */
export function differences(expected: FileMap, actual: FileMap): string[] {
  const paths = [...new Set([...expected.keys(), ...actual.keys()])].sort();
  return paths.flatMap((path) => {
    const [wanted, found] = [expected.get(path), actual.get(path)];
    if (wanted === undefined) return [`${path} is stale`];
    if (found === undefined) return [`${path} is missing`];
    return wanted.equals(found) ? [] : [`${path} differs`];
  });
}

/** The layout as it is in the repository. */
export const committedLayout = () => readFiles(target);

async function addModule(files: Map<string, Buffer>, name: string, content: FileMap) {
  const { metadata } = parse(content.get('module.yaml')?.toString() ?? '');
  if (metadata.name !== name) throw new Error(`${name}/module.yaml is named ${metadata.name}`);
  const version = String(metadata.version);
  const add = (mediaType: string, bytes: Buffer) => {
    const digest = digestOf(bytes);
    files.set(`blobs/${digest.replace(':', '/')}`, bytes);
    return { mediaType, digest, size: bytes.length };
  };
  const manifest = {
    schemaVersion: 2,
    mediaType: MANIFEST_MEDIA_TYPE,
    artifactType: ARTIFACT_TYPE,
    config: add(CONFIG_MEDIA_TYPE, json({ engine: 'cel' })),
    layers: [add(LAYER_MEDIA_TYPE, storedGzip(await archive(content)))],
    annotations: {
      'org.opencontainers.image.title': name,
      'org.opencontainers.image.version': version,
    },
  };
  return { version, manifest: add(MANIFEST_MEDIA_TYPE, json(manifest)) };
}

async function archive(files: FileMap): Promise<Buffer> {
  const tar = pack();
  for (const [name, content] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    tar.entry({ name, mode: 0o644, uid: 0, gid: 0, mtime: new Date(0) }, content);
  }
  tar.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of tar) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Gzip without compression (RFC 1952, RFC 1951 3.2.4): what a compressor makes depends on its version and the CPU. */
function storedGzip(bytes: Buffer): Buffer {
  const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
  const blocks: Buffer[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += 0xffff) {
    const part = bytes.subarray(at, at + 0xffff);
    const head = Buffer.alloc(5);
    head.writeUInt8(at + part.length >= bytes.length ? 1 : 0, 0);
    head.writeUInt16LE(part.length, 1);
    head.writeUInt16LE(~part.length & 0xffff, 3);
    blocks.push(head, part);
  }
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(bytes), 0);
  trailer.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([header, ...blocks, trailer]);
}

async function readFiles(folder: string): Promise<FileMap> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(
      paths.map(async (path): Promise<[string, Buffer]> => {
        return [relative(folder, path).split(sep).join('/'), await readFile(path)];
      }),
    ),
  );
}

function json(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}

if (import.meta.main) {
  const { files, digests } = await buildLayout();
  if (process.argv.includes('--check')) {
    const different = differences(files, await committedLayout());
    for (const line of different) console.error(`templates/modules/oci: ${line}`);
    if (different.length > 0) process.exitCode = 1;
  } else {
    await rm(target, { recursive: true, force: true });
    for (const [path, bytes] of files) {
      await mkdir(dirname(join(target, path)), { recursive: true });
      await writeFile(join(target, path), bytes);
    }
  }
  for (const [reference, digest] of digests) console.log(`${reference} ${digest}`);
}
