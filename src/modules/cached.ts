import { type Digest, digestOf } from './digest.ts';
import { type DiskStore, MAX_FILE_BYTES } from './disk-store.ts';
import type { ModuleRegistry } from './registry.ts';

export interface CachedOptions {
  store: DiskStore;
  /** Told of a disk that fails; modules are read all the same. */
  onProblem: (error: unknown) => void;
}

/** Keeps manifests and blobs under their digests, so that each is asked for once; what has another digest is not kept. */
export function cached(registry: ModuleRegistry, { store, onProblem }: CachedOptions): ModuleRegistry {
  return {
    resolve: (reference, signal) => registry.resolve(reference, signal),
    manifest: (reference, digest, signal) => through(digest, () => registry.manifest(reference, digest, signal)),
    blob: (reference, digest, signal) => through(digest, () => registry.blob(reference, digest, signal)),
  };

  async function* through(digest: Digest, open: () => AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const name = `blobs/${digest.replace(':', '/')}`;
    const kept = await read(name, digest);
    if (kept !== undefined) return yield kept;
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of open()) {
      length += chunk.length;
      if (length <= MAX_FILE_BYTES) chunks.push(chunk);
      yield chunk;
    }
    const content = Buffer.concat(chunks);
    if (digestOf(content) === digest) await store.write(name, content).catch(onProblem);
  }

  /** What was damaged on the disk is as if it had never been there. */
  async function read(name: string, digest: Digest): Promise<Buffer | undefined> {
    try {
      const content = await store.read(name);
      if (content === undefined || digestOf(content) === digest) return content;
      await store.remove(name);
    } catch (error) {
      onProblem(error);
    }
    return undefined;
  }
}
