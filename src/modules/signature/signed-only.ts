import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Digest } from '../digest.ts';
import { ModuleError } from '../module.ts';
import { type Reference, referenceName } from '../reference.ts';
import type { ModuleRegistry } from '../registry.ts';
import { type SignatureSource, signaturesOf } from './signatures.ts';
import { isSigned } from './simple-signing.ts';

/** Modules that are known to be signed; a digest that is stays so. */
const MAX_KNOWN = 1024;

export interface SignedOnlyOptions extends SignatureSource {
  /** Whose signatures count; one is enough. */
  keys: readonly KeyObject[];
}

/** A registry of which only those modules are had that a trusted key has signed. */
export function signedOnly({ keys, ...source }: SignedOnlyOptions): ModuleRegistry {
  const { registry } = source;
  const known = new LRUCache<string, true>({ max: MAX_KNOWN });

  async function expectSigned(reference: Reference, digest: Digest, signal?: AbortSignal): Promise<void> {
    const name = referenceName({ ...reference, digest });
    if (known.has(name)) return;
    let found = 0;
    for await (const signature of signaturesOf(source, reference, digest, signal)) {
      found += 1;
      if (!isSigned(digest, signature, keys)) continue;
      known.set(name, true);
      return;
    }
    const why = found === 0 ? 'it has no signature' : `none of its ${found} signatures is by a trusted key, and for it`;
    throw new ModuleError('untrusted', `module ${name} is not trusted: ${why}`);
  }

  return {
    async resolve(reference, signal) {
      const descriptor = await registry.resolve(reference, signal);
      await expectSigned(reference, descriptor.digest, signal);
      return descriptor;
    },
    manifest: (...args) => registry.manifest(...args),
    blob: (...args) => registry.blob(...args),
  };
}
