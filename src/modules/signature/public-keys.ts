import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { reasonOf } from '../../reason-of.ts';

/** Most keys of one file. */
const MAX_KEYS = 64;

/**
 * Reads the public keys of a PEM file, one after the other, as `cosign generate-key-pair` and `openssl pkey -pubout` write them.
 * @throws naming MODULE_VERIFY, where there are none, or one is none.
 */
export function readPublicKeys(file: string): readonly KeyObject[] {
  try {
    const blocks = readFileSync(file, 'utf8').match(/-----BEGIN [\s\S]+?-----END [^-]+-----/g) ?? [];
    if (blocks.length === 0) throw new Error('it has none');
    if (blocks.length > MAX_KEYS) throw new Error(`it has more than ${MAX_KEYS}`);
    return blocks.map((pem) => {
      // From a private key Node would make the public one; a private key has no business here.
      if (!pem.startsWith('-----BEGIN PUBLIC KEY-----')) throw new Error('something else than public keys is in it');
      return createPublicKey(pem);
    });
  } catch (error) {
    throw new Error(`MODULE_VERIFY: public keys cannot be read from ${file}: ${reasonOf(error)}`);
  }
}
