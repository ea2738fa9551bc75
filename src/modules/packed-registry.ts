import type { Digest } from './digest.ts';
import { ModuleError } from './module.ts';
import type { PackedModule } from './pack.ts';
import type { ModuleRegistry } from './registry.ts';

/** A registry that has one module, and has it under any name. */
export function packedRegistry({ manifest, blobs }: PackedModule): ModuleRegistry {
  async function* blob(digest: Digest): AsyncGenerator<Uint8Array> {
    const bytes = blobs.get(digest);
    if (bytes === undefined) throw new ModuleError('unavailable', `the module has no blob ${digest}`);
    yield bytes;
  }
  return {
    resolve: async () => manifest,
    manifest: (_reference, digest) => blob(digest),
    blob: (_reference, digest) => blob(digest),
  };
}
