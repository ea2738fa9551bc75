import { createHash } from 'node:crypto';

/** Content address of a manifest or blob. SHA-256 is the only algorithm in use. */
export type Digest = `sha256:${string}`;

export const DIGEST_PATTERN = '^sha256:[0-9a-f]{64}$';
const form = new RegExp(DIGEST_PATTERN);

export function isDigest(text: string): text is Digest {
  return form.test(text);
}

export function digestOf(bytes: Uint8Array): Digest {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
