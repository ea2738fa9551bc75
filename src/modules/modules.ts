import { LRUCache } from 'lru-cache';
import { readArtifact } from './artifact.ts';
import type { Digest } from './digest.ts';
import { createEngines, type Engines } from './engines.ts';
import { type Module, ModuleError, type ModuleReference } from './module.ts';
import { parseReference, type Reference } from './reference.ts';
import type { Descriptor, ModuleRegistry } from './registry.ts';

/** Compiled modules that are kept; the least recently used goes first. */
export const MAX_MODULES = 128;
/** References whose digest is kept. */
const MAX_REFERENCES = 1024;
/** How long a tag is taken to stand for the same digest, in milliseconds. */
export const TAG_TTL_MS = 30_000;
/** How long a failure is answered again before the next try, in milliseconds. */
export const FAILURE_TTL_MS = 5_000;

export interface Modules {
  /**
   * The module that a template names, from the cache where it can be.
   * Any number of callers at once cost one read. If the registry fails, the last known digest of a tag serves on.
   * @throws {ModuleError}
   */
  resolve(reference: ModuleReference): Promise<Module>;
}

export interface ModulesOptions {
  registry: ModuleRegistry;
  engines?: Engines;
  /** Milliseconds that never go back. */
  now?: () => number;
}

/** A reference with what it stands for. */
interface Located {
  reference: Reference;
  descriptor: Descriptor;
}

/** What was found, or the failure; so that both can be kept. */
type Outcome<T> = { value: T } | { failure: ModuleError };

export function createModules({
  registry,
  engines = createEngines(),
  now = () => performance.now(),
}: ModulesOptions): Modules {
  const located = new LRUCache<string, Outcome<Located>, ModuleReference>({
    max: MAX_REFERENCES,
    ttl: TAG_TTL_MS,
    ttlResolution: 0,
    perf: { now },
    ignoreFetchAbort: true,
    fetchMethod: async (_key, stale, { options, context }) => {
      const outcome = await attempt(() => locate(registry, context));
      if ('value' in outcome) return outcome;
      options.ttl = FAILURE_TTL_MS;
      const last = outcome.failure.reason === 'unavailable' ? stale : undefined;
      return last !== undefined && 'value' in last ? last : outcome;
    },
  });
  // A digest stands for the same module for ever: no time limit, except for failures.
  const loaded = new LRUCache<Digest, Outcome<Module>, Located>({
    max: MAX_MODULES,
    ttl: 0,
    ttlResolution: 0,
    perf: { now },
    ignoreFetchAbort: true,
    fetchMethod: async (_digest, _stale, { options, context }) => {
      const outcome = await attempt(() => load(registry, engines, context));
      if ('failure' in outcome) options.ttl = FAILURE_TTL_MS;
      return outcome;
    },
  });
  return {
    async resolve(reference) {
      const key = `${reference.source} ${reference.tag ?? ''}`;
      const place = unwrap(await located.forceFetch(key, { context: reference }));
      return unwrap(await loaded.forceFetch(place.descriptor.digest, { context: place }));
    },
  };
}

async function locate(registry: ModuleRegistry, source: ModuleReference): Promise<Located> {
  const reference = parseReference(source);
  const descriptor = await registry.resolve(reference);
  if (reference.digest !== undefined && descriptor.digest !== reference.digest) {
    throw new ModuleError('invalid', `the registry has ${descriptor.digest} where ${reference.digest} was asked for`);
  }
  return { reference, descriptor };
}

async function load(registry: ModuleRegistry, engines: Engines, { reference, descriptor }: Located): Promise<Module> {
  return engines.open(await readArtifact(registry, reference, descriptor));
}

async function attempt<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof ModuleError) return { failure: error };
    throw error;
  }
}

function unwrap<T>(outcome: Outcome<T>): T {
  if ('failure' in outcome) throw outcome.failure;
  return outcome.value;
}
