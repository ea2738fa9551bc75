import { firstContent, firstResult } from './first-source.ts';
import { ModuleError } from './module.ts';
import { Patience } from './patience.ts';
import type { Reference } from './reference.ts';
import type { ModuleRegistry } from './registry.ts';

/** Mirrors by registry, in the order in which they are asked. */
export type Mirrors = ReadonlyMap<string, readonly string[]>;

/** How long a mirror may take to answer before the next is asked, in milliseconds. */
export const MIRROR_PATIENCE_MS = 2000;

/**
 * Asks the mirrors of a registry before the registry itself, which is asked only for what no mirror has or says in time.
 * A mirror has the same repositories and tags under another host.
 */
export function mirrored(registry: ModuleRegistry, mirrors: Mirrors, patienceMs = MIRROR_PATIENCE_MS): ModuleRegistry {
  const mirrorsOf = (reference: Reference): Reference[] =>
    (mirrors.get(reference.registry) ?? []).map((mirror) => ({ ...reference, registry: mirror }));

  type Open = (at: Reference, signal: AbortSignal | undefined) => AsyncIterable<Uint8Array>;
  const content = (reference: Reference, signal: AbortSignal | undefined, open: Open) => {
    const sources = mirrorsOf(reference).map((mirror) => () => {
      const patience = new Patience(patienceMs, signal);
      return patience.untilFirst(open(mirror, patience.signal));
    });
    return firstContent([...sources, () => open(reference, signal)], isOutOfReach);
  };

  return {
    resolve(reference, signal) {
      const sources = mirrorsOf(reference).map((mirror) => () => {
        const patience = new Patience(patienceMs, signal);
        return patience.until(registry.resolve(mirror, patience.signal));
      });
      return firstResult([...sources, () => registry.resolve(reference, signal)], isOutOfReach);
    },
    manifest: (reference, digest, signal) =>
      content(reference, signal, (at, limit) => registry.manifest(at, digest, limit)),
    blob: (reference, digest, signal) => content(reference, signal, (at, limit) => registry.blob(at, digest, limit)),
  };
}

function isOutOfReach(error: unknown): boolean {
  return error instanceof ModuleError && error.reason === 'unavailable';
}
