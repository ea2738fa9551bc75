import { type Artifact, readArtifact } from './artifact.ts';
import { MODULE_FILE } from './cel/module-file.ts';
import { digestOf } from './digest.ts';
import { ModuleError } from './module.ts';
import { packFolder, readFolder } from './module-folder.ts';
import { packedRegistry } from './packed-registry.ts';
import type { Files } from './unpack.ts';

/**
 * The module in a folder, as it would be had of a registry: our own by its `module.yaml`, a chart by its `Chart.yaml`, a KCL
 * module by its `kcl.mod`. The digest of the latter two is made of the files; their own tools make the artifact.
 * @throws {ModuleError} `invalid` if it is none of them; `unavailable` if the folder cannot be read.
 */
export async function folderArtifact(folder: string): Promise<Artifact> {
  const files = await readFolder(folder);
  if (files.has(MODULE_FILE)) {
    const { packed } = await packFolder(folder, files);
    return readArtifact(
      packedRegistry(packed),
      { registry: 'localhost', repository: 'folder', tag: '-' },
      packed.manifest,
    );
  }
  const digest = digestOf(Buffer.from(JSON.stringify([...files].map(([path, bytes]) => [path, digestOf(bytes)]))));
  if (files.has('Chart.yaml')) return { engine: 'helm', digest, files: below('chart', files) };
  if (files.has('kcl.mod')) return { engine: 'kcl', digest, files };
  throw new ModuleError('invalid', `${folder} has no ${MODULE_FILE}, Chart.yaml or kcl.mod`);
}

function below(folder: string, files: Files): Files {
  return new Map([...files].map(([path, content]) => [`${folder}/${path}`, content]));
}
