import { LRUCache } from 'lru-cache';
import { readArtifact } from './artifact.ts';
import { createEngines, type Engines } from './engines.ts';
import { chooseManifest } from './index-choice.ts';
import { AbsentError, type Module, ModuleError, type ModuleReference } from './module.ts';
import { parseReference, type Reference } from './reference.ts';
import type { Descriptor, ModuleRegistry } from './registry.ts';
import { withSignal } from './with-signal.ts';

/** Compiled modules that are kept; the least recently used goes first. */
export const MAX_MODULES = 128;
/** References whose digest is kept. */
const MAX_REFERENCES = 1024;
/** How long a tag is taken to stand for the same digest, in milliseconds. */
export const TAG_TTL_MS = 30_000;
/** How long a failure is answered again before the next try, in milliseconds. */
export const FAILURE_TTL_MS = 5_000;
const DEFAULT_TIMEOUT_MS = 15_000;

export interface Modules {
  /**
   * The module that a template names, from the cache where it can be.
   * Any number of callers at once cost one read. If the registry cannot be asked, the last known digest of a tag serves on.
   * @throws {ModuleError}
   */
  resolve(reference: ModuleReference): Promise<Module>;
}

export interface ModulesOptions {
  registry: ModuleRegistry;
  /** Longest time that a caller waits for one module, in milliseconds. */
  timeoutMs?: number;
  engines?: Engines;
  /** Milliseconds that never go back. */
  now?: () => number;
}

/** A reference with what it stands for. */
interface Located {
  reference: Reference;
  descriptor: Descriptor;
}

/** What one caller waits for, and until when. Whoever joins in came later, and could wait longer. */
interface Wanted<T> {
  of: T;
  deadline: number;
}

/** What was found, or the failure; so that both can be kept. */
type Outcome<T> = { value: T } | { failure: ModuleError };

export function createModules(options: ModulesOptions): Modules {
  const { engines = createEngines(), timeoutMs = DEFAULT_TIMEOUT_MS, now = () => performance.now() } = options;
  const inTime = (deadline: number) =>
    withSignal(options.registry, AbortSignal.timeout(Math.max(Math.ceil(deadline - now()), 1)));
  const located = new LRUCache<string, Outcome<Located>, Wanted<ModuleReference>>({
    max: MAX_REFERENCES,
    ttl: TAG_TTL_MS,
    ttlResolution: 0,
    perf: { now },
    ignoreFetchAbort: true,
    fetchMethod: async (_key, stale, { options, context }) => {
      const outcome = await attempt(() => locate(inTime(context.deadline), context.of));
      if ('value' in outcome) return outcome;
      options.ttl = FAILURE_TTL_MS;
      const last = isOutage(outcome.failure) ? stale : undefined;
      return last !== undefined && 'value' in last ? last : outcome;
    },
  });
  // A digest stands for the same module for ever: no time limit, except for failures. By repository too: one that hangs, or
  // lies of its digest, is not to fail those who have the same module from elsewhere.
  const loaded = new LRUCache<string, Outcome<Module>, Wanted<Located>>({
    max: MAX_MODULES,
    ttl: 0,
    ttlResolution: 0,
    perf: { now },
    ignoreFetchAbort: true,
    fetchMethod: async (_digest, _stale, { options, context }) => {
      const outcome = await attempt(() => load(inTime(context.deadline), engines, context.of));
      if ('failure' in outcome) options.ttl = FAILURE_TTL_MS;
      return outcome;
    },
  });
  return {
    async resolve(reference) {
      const key = `${reference.source} ${reference.tag ?? ''}`;
      const deadline = now() + timeoutMs;
      const place = unwrap(await located.forceFetch(key, { context: { of: reference, deadline } }));
      const { registry, repository } = place.reference;
      const name = `${registry}/${repository}@${place.descriptor.digest}`;
      return unwrap(await loaded.forceFetch(name, { context: { of: place, deadline } }));
    },
  };
}

async function locate(registry: ModuleRegistry, source: ModuleReference): Promise<Located> {
  const reference = parseReference(source);
  const descriptor = await registry.resolve(reference);
  if (reference.digest !== undefined && descriptor.digest !== reference.digest) {
    throw new ModuleError('invalid', `the registry has ${descriptor.digest} where ${reference.digest} was asked for`);
  }
  return { reference, descriptor: await chooseManifest(registry, reference, descriptor) };
}

function isOutage(failure: ModuleError): boolean {
  return failure.reason === 'unavailable' && !(failure instanceof AbsentError);
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
