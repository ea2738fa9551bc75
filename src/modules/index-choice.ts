import { MAX_MANIFEST_BYTES } from './artifact.ts';
import { ARTIFACT_TYPE, INDEX_MEDIA_TYPE, IndexSchema, MANIFEST_MEDIA_TYPE, parseJson } from './manifest.ts';
import { ModuleError } from './module.ts';
import type { Reference } from './reference.ts';
import type { Descriptor, ModuleRegistry } from './registry.ts';
import { readVerified } from './verified.ts';

/**
 * The manifest of a module that an index stands for; what is no index stays as it is. An index has one manifest, or among
 * several exactly one whose `artifactType` is that of a Frontdesk module: others may be signatures and the like.
 * @throws {ModuleError} `invalid` if there is no such one, or more; `unavailable` if the index cannot be had.
 */
export async function chooseManifest(
  registry: ModuleRegistry,
  reference: Reference,
  descriptor: Descriptor,
): Promise<Descriptor> {
  if (descriptor.mediaType !== INDEX_MEDIA_TYPE) return descriptor;
  const content = await readVerified(registry.manifest(reference, descriptor.digest), descriptor, {
    limit: MAX_MANIFEST_BYTES,
    what: 'index',
  });
  const manifests = parseJson(IndexSchema, content, 'the index').manifests.filter(
    ({ mediaType }) => mediaType === MANIFEST_MEDIA_TYPE,
  );
  const ours = manifests.filter(({ artifactType }) => artifactType === ARTIFACT_TYPE);
  const [chosen, ...more] = manifests.length > 1 ? ours : manifests;
  if (chosen === undefined || more.length > 0) {
    const found = `${manifests.length} manifests, ${ours.length} of them modules`;
    throw new ModuleError('invalid', `index ${descriptor.digest} has ${found}; of a module it has one`);
  }
  return { mediaType: chosen.mediaType, digest: chosen.digest, size: chosen.size };
}
