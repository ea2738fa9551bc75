import { type KeyObject, verify } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Digest } from '../digest.ts';
import type { Signature } from './signatures.ts';

// How cosign keeps signatures: https://github.com/sigstore/cosign/blob/main/specs/SIGNATURE_SPEC.md
/** Media type of a layer that is what was signed. */
export const PAYLOAD_MEDIA_TYPE = 'application/vnd.dev.cosign.simplesigning.v1+json';
/** The annotation of that layer which has the signature, in Base64. */
export const SIGNATURE_ANNOTATION = 'dev.cosignproject.cosign/signature';
/** `artifactType` of signatures that refer to what they sign. */
export const SIGNATURE_ARTIFACT_TYPE = 'application/vnd.dev.cosign.artifact.sig.v1+json';

const Payload = Type.Object({
  critical: Type.Object({
    type: Type.Literal('cosign container image signature'),
    image: Type.Object({ 'docker-manifest-digest': Type.String() }),
  }),
});

/** Whether one of `keys` signed that `digest` is to be trusted; where the image was at the time is not looked at. */
export function isSigned(digest: Digest, { payload, signature }: Signature, keys: readonly KeyObject[]): boolean {
  const bytes = Buffer.from(signature, 'base64');
  if (!keys.some((key) => isOf(key, payload, bytes))) return false;
  return digestIn(payload) === digest;
}

function isOf(key: KeyObject, payload: Uint8Array, signature: Buffer): boolean {
  const algorithm = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  return verify(algorithm, payload, key, signature);
}

function digestIn(payload: Uint8Array): string | undefined {
  try {
    const content: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
    return Value.Check(Payload, content) ? content.critical.image['docker-manifest-digest'] : undefined;
  } catch {
    // Signed by a trusted key, but as something else.
    return undefined;
  }
}
