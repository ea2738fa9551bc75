import { firstContent, firstResult } from './first-source.ts';
import { AbsentError, ModuleError } from './module.ts';
import { Patience } from './patience.ts';
import type { Reference } from './reference.ts';
import type { ModuleRegistry } from './registry.ts';

/** Mirrors by registry, in the order in which they are asked. */
export type Mirrors = ReadonlyMap<string, readonly string[]>;

/** How long a mirror may take to answer before the next is asked, in milliseconds. */
export const MIRROR_PATIENCE_MS = 2000;
/** How long a mirror that failed to answer is not asked, in milliseconds. */
export const MIRROR_REST_MS = 60_000;

export interface MirroredOptions {
  mirrors: Mirrors;
  patienceMs?: number;
  /** Milliseconds that never go back. */
  now: () => number;
}

/**
 * Asks the mirrors of a registry before the registry itself, which is asked only for what no mirror has or says in time.
 * A mirror has the same repositories and tags under another host.
 */
export function mirrored(registry: ModuleRegistry, options: MirroredOptions): ModuleRegistry {
  const { mirrors, patienceMs = MIRROR_PATIENCE_MS, now } = options;
  const restingUntil = new Map<string, number>();

  const mirrorsOf = (reference: Reference): Reference[] =>
    (mirrors.get(reference.registry) ?? [])
      .filter((mirror) => (restingUntil.get(mirror) ?? 0) <= now())
      .map((mirror) => ({ ...reference, registry: mirror }));

  /** Has one mirror asked, within its time; where it fails to answer, it rests. */
  const patienceWith = (mirror: Reference, signal: AbortSignal | undefined) =>
    new Patience(patienceMs, signal, (error) => {
      if (!(error instanceof AbsentError)) restingUntil.set(mirror.registry, now() + MIRROR_REST_MS);
    });

  type Open = (at: Reference, signal: AbortSignal | undefined) => AsyncIterable<Uint8Array>;
  const content = (reference: Reference, signal: AbortSignal | undefined, open: Open) => {
    const sources = mirrorsOf(reference).map((mirror) => () => {
      const patience = patienceWith(mirror, signal);
      return patience.untilFirst(open(mirror, patience.signal));
    });
    return firstContent([...sources, () => open(reference, signal)], isOutOfReach);
  };

  return {
    resolve(reference, signal) {
      const sources = mirrorsOf(reference).map((mirror) => () => {
        const patience = patienceWith(mirror, signal);
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
