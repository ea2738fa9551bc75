import type { CatalogSnapshot } from '../../catalog/catalog.ts';
import { parseTemplateFile } from '../../catalog/template-file.ts';
import { type Artifact, readArtifact } from '../../modules/artifact.ts';
import { chooseManifest } from '../../modules/index-choice.ts';
import { AUTHORS_FILES } from '../../modules/module-folder.ts';
import { parseReference } from '../../modules/reference.ts';
import type { ModuleRegistry } from '../../modules/registry.ts';
import type { Files } from '../../modules/unpack.ts';
import { withSignal } from '../../modules/with-signal.ts';
import { Failure } from '../failure.ts';

/**
 * A module of a registry, and the template that was published with it.
 * @throws {ModuleError} if it cannot be had, or is no module.
 * @throws {Failure} if no template is with it.
 */
export async function publishedModule(
  source: string,
  from: ModuleRegistry,
  timeoutMs: number,
): Promise<{ artifact: Artifact; templates: CatalogSnapshot }> {
  const reference = parseReference({ source });
  const registry = withSignal(from, AbortSignal.timeout(timeoutMs));
  const manifest = await chooseManifest(registry, reference, await registry.resolve(reference));
  const artifact = await readArtifact(registry, reference, manifest);
  const text = templateIn(artifact.files)?.toString();
  if (text === undefined) {
    throw new Failure('failure', `${source} has no ${AUTHORS_FILES.template} with its module`, [
      'frontdesk module push --with-template publishes both',
    ]);
  }
  return { artifact, templates: parseTemplateFile(text, source) };
}

/** Beside the module; a chart has its files in one folder. */
function templateIn(files: Files): Buffer | undefined {
  const path = [...files.keys()].find((path) => path.replace(/^[^/]+\/(?=[^/]+$)/, '') === AUTHORS_FILES.template);
  return path === undefined ? undefined : files.get(path);
}
