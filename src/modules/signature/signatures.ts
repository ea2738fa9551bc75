import { MAX_MANIFEST_BYTES } from '../artifact.ts';
import type { Digest } from '../digest.ts';
import { MANIFEST_MEDIA_TYPE, ManifestSchema, parseJson } from '../manifest.ts';
import { AbsentError } from '../module.ts';
import type { Reference } from '../reference.ts';
import type { Descriptor, ModuleRegistry } from '../registry.ts';
import type { RemoteRegistry } from '../remote/remote-registry.ts';
import { readVerified } from '../verified.ts';
import { PAYLOAD_MEDIA_TYPE, SIGNATURE_ANNOTATION, SIGNATURE_ARTIFACT_TYPE } from './simple-signing.ts';

/** Largest payload of a signature, in bytes. */
const MAX_PAYLOAD_BYTES = 65_536;
/** Most signatures that are looked at for one module. */
const MAX_SIGNATURES = 64;

export interface Signature {
  /** What was signed. */
  payload: Buffer;
  /** In Base64. */
  signature: string;
}

/** Where signatures of modules are found. */
export interface SignatureSource {
  registry: ModuleRegistry;
  referrers: RemoteRegistry['referrers'];
}

/**
 * The signatures of a module, one after the other: those under the tag that cosign makes of its digest,
 * `sha256-<hex>.sig`, and those that refer to it.
 * @throws {ModuleError} `unavailable` if the registry cannot be asked, `invalid` for what is no manifest.
 */
export async function* signaturesOf(
  source: SignatureSource,
  reference: Reference,
  digest: Digest,
  signal?: AbortSignal,
): AsyncGenerator<Signature> {
  let left = MAX_SIGNATURES;
  for await (const manifest of manifestsOf(source, reference, digest, signal)) {
    for (const { signature, layer } of await layersOf(source, reference, manifest, signal)) {
      if (left === 0) return;
      left -= 1;
      const limit = { limit: MAX_PAYLOAD_BYTES, what: 'payload of a signature' };
      const payload = await readVerified(source.registry.blob(reference, layer.digest, signal), layer, limit);
      yield { signature, payload };
    }
  }
}

async function* manifestsOf(
  { registry, referrers }: SignatureSource,
  reference: Reference,
  digest: Digest,
  signal?: AbortSignal,
): AsyncGenerator<Descriptor> {
  const { digest: _, ...place } = reference;
  try {
    yield await registry.resolve({ ...place, tag: `${digest.replace(':', '-')}.sig` }, signal);
  } catch (error) {
    if (!(error instanceof AbsentError)) throw error;
  }
  for (const referrer of await referrers(reference, digest, signal)) {
    if (referrer.artifactType === SIGNATURE_ARTIFACT_TYPE) yield referrer;
  }
}

async function layersOf(
  { registry }: SignatureSource,
  reference: Reference,
  manifest: Descriptor,
  signal?: AbortSignal,
): Promise<{ signature: string; layer: Descriptor }[]> {
  if (manifest.mediaType !== MANIFEST_MEDIA_TYPE) return [];
  const content = await readVerified(registry.manifest(reference, manifest.digest, signal), manifest, {
    limit: MAX_MANIFEST_BYTES,
    what: 'manifest of signatures',
  });
  return parseJson(ManifestSchema, content, 'the manifest of signatures').layers.flatMap((layer) => {
    const signature = layer.annotations?.[SIGNATURE_ANNOTATION];
    return layer.mediaType === PAYLOAD_MEDIA_TYPE && signature !== undefined ? [{ signature, layer }] : [];
  });
}
