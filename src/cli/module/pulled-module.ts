import { type Artifact, readArtifact } from '../../modules/artifact.ts';
import { chooseManifest } from '../../modules/index-choice.ts';
import { parseReference, type Reference } from '../../modules/reference.ts';
import { remoteRegistry } from '../../modules/remote/remote-registry.ts';
import { registryAccess } from './registry-access.ts';
import type { RegistryFlags } from './registry-flags.ts';

/**
 * A module as its registry has it.
 * @throws {ModuleError} as registries do, and where it is no module.
 */
export async function pulledModule(
  source: string,
  flags: RegistryFlags,
): Promise<{ reference: Reference; artifact: Artifact }> {
  const reference = parseReference({ source });
  const registry = remoteRegistry(registryAccess(reference, flags));
  const manifest = await chooseManifest(registry, reference, await registry.resolve(reference));
  return { reference, artifact: await readArtifact(registry, reference, manifest) };
}
