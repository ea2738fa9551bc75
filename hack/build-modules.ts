// Builds templates/modules/oci, the OCI image layout of the built-in modules, from templates/modules/src/<name>/.
// The bytes depend on the sources alone, so that a check can compare them: `node hack/build-modules.ts [--check]`.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Digest } from '../src/modules/digest.ts';
import { ARTIFACT_TYPE, INDEX_MEDIA_TYPE, REF_NAME_ANNOTATION } from '../src/modules/manifest.ts';
import { readModuleFolder } from '../src/modules/module-folder.ts';

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
    const { version, packed, ...module } = await readModuleFolder(join(from, name));
    if (module.name !== name) throw new Error(`${name}/module.yaml is named ${module.name}`);
    for (const [digest, bytes] of packed.blobs) files.set(`blobs/${digest.replace(':', '/')}`, bytes);
    const { manifest } = packed;
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
