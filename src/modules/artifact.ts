import { artifactKind } from './artifact-kind.ts';
import type { Digest } from './digest.ts';
import { MANIFEST_MEDIA_TYPE, ManifestSchema, ModuleConfigSchema, parseJson } from './manifest.ts';
import { ModuleError } from './module.ts';
import type { Reference } from './reference.ts';
import type { Descriptor, ModuleRegistry } from './registry.ts';
import { type Files, unpack } from './unpack.ts';
import { readVerified } from './verified.ts';

/** Largest manifest, in bytes. */
export const MAX_MANIFEST_BYTES = 65_536;
/** Largest config, in bytes. */
export const MAX_CONFIG_BYTES = 65_536;
/** Largest layer as it travels, compressed, in bytes. */
export const MAX_LAYER_BYTES = 2_097_152;

/** A module's content, every byte of it verified against the digest of the manifest. */
export interface Artifact {
  digest: Digest;
  /** Name of the engine that renders it. */
  engine: string;
  files: Files;
}

/**
 * Reads a module: manifest, config and its one layer.
 * @throws {ModuleError} `unavailable` if a part cannot be had, `invalid` if it is not what it should be.
 */
export async function readArtifact(
  registry: ModuleRegistry,
  reference: Reference,
  descriptor: Descriptor,
): Promise<Artifact> {
  if (descriptor.mediaType !== MANIFEST_MEDIA_TYPE) {
    throw new ModuleError('invalid', `a module is an image manifest, this is ${JSON.stringify(descriptor.mediaType)}`);
  }
  const content = await readVerified(registry.manifest(reference, descriptor.digest), descriptor, {
    limit: MAX_MANIFEST_BYTES,
    what: 'manifest',
  });
  const manifest = parseJson(ManifestSchema, content, 'the manifest');
  const kind = artifactKind(manifest);
  const { layer, compression } = kind;
  const engine = kind.engine ?? (await readEngine(registry, reference, manifest.config));
  const archive = await readVerified(registry.blob(reference, layer.digest), layer, {
    limit: MAX_LAYER_BYTES,
    what: 'layer',
  });
  return { digest: descriptor.digest, engine, files: await unpack(archive, compression) };
}

async function readEngine(registry: ModuleRegistry, reference: Reference, config: Descriptor): Promise<string> {
  const content = await readVerified(registry.blob(reference, config.digest), config, {
    limit: MAX_CONFIG_BYTES,
    what: 'config',
  });
  return parseJson(ModuleConfigSchema, content, 'the config').engine;
}
