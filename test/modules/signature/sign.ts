import { generateKeyPairSync, type KeyObject, sign as signBytes } from 'node:crypto';
import { type Digest, digestOf } from '../../../src/modules/digest.ts';
import { INDEX_MEDIA_TYPE, MANIFEST_MEDIA_TYPE } from '../../../src/modules/manifest.ts';
import {
  PAYLOAD_MEDIA_TYPE,
  SIGNATURE_ANNOTATION,
  SIGNATURE_ARTIFACT_TYPE,
} from '../../../src/modules/signature/simple-signing.ts';
import { type PushTarget, push } from '../registry/push.ts';

/** A pair as `cosign generate-key-pair` makes it. */
export const cosignKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** What cosign signs for an image of that digest. */
export function payloadOf(digest: Digest, type = 'cosign container image signature'): Buffer {
  const image = { 'docker-manifest-digest': digest };
  return Buffer.from(
    JSON.stringify({ critical: { identity: { 'docker-reference': '' }, image, type }, optional: null }),
  );
}

export function signatureOf(payload: Buffer, key: KeyObject): string {
  return signBytes(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', payload, key).toString('base64');
}

export interface Signing {
  digest: Digest;
  key: KeyObject;
  /** What is signed, where that is not the digest. */
  payload?: Buffer;
  /** Whether the signature refers to the module, in place of having a tag made of its digest. */
  refers?: boolean;
}

/** Signs a module that a registry has, and pushes the signature, as cosign does. */
export async function pushSignature(target: PushTarget, { digest, key, refers, ...signing }: Signing): Promise<void> {
  const payload = signing.payload ?? payloadOf(digest);
  const config = Buffer.from('{}');
  const manifest = {
    schemaVersion: 2,
    mediaType: MANIFEST_MEDIA_TYPE,
    ...(refers && { artifactType: SIGNATURE_ARTIFACT_TYPE }),
    config: describe('application/vnd.oci.image.config.v1+json', config),
    layers: [
      { ...describe(PAYLOAD_MEDIA_TYPE, payload), annotations: { [SIGNATURE_ANNOTATION]: signatureOf(payload, key) } },
    ],
    ...(refers && { subject: { mediaType: MANIFEST_MEDIA_TYPE, digest, size: 1 } }),
  };
  const content = Buffer.from(JSON.stringify(manifest));
  const manifests = [{ mediaType: MANIFEST_MEDIA_TYPE, content }];
  const tag = digest.replace(':', '-');
  if (refers) {
    const entry = { ...describe(MANIFEST_MEDIA_TYPE, content), artifactType: SIGNATURE_ARTIFACT_TYPE };
    const index = { schemaVersion: 2, mediaType: INDEX_MEDIA_TYPE, manifests: [entry] };
    manifests.push({ mediaType: INDEX_MEDIA_TYPE, content: Buffer.from(JSON.stringify(index)) });
  }
  await push(target, { blobs: [config, payload], manifests, tag: refers ? tag : `${tag}.sig` });
}

function describe(mediaType: string, bytes: Buffer) {
  return { mediaType, digest: digestOf(bytes), size: bytes.length };
}
