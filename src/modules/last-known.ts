import { createHash } from 'node:crypto';
import { type Static, Type } from '@sinclair/typebox';
import { LRUCache } from 'lru-cache';
import type { DiskStore } from './disk-store.ts';
import { DescriptorSchema, parseJson } from './manifest.ts';
import { AbsentError, ModuleError } from './module.ts';
import { Patience } from './patience.ts';
import { type Reference, referenceName } from './reference.ts';
import type { Descriptor, ModuleRegistry } from './registry.ts';

/** How long a registry may take to answer where an older answer can stand in, in milliseconds. */
export const STALE_PATIENCE_MS = 5000;
/** References whose last answer is also kept in memory. */
const MAX_REFERENCES = 1024;

const RecordSchema = Type.Object({
  reference: Type.String(),
  descriptor: DescriptorSchema,
  /** When the registry said so, in milliseconds since the epoch. */
  saidAt: Type.Number(),
});
type LastAnswer = Static<typeof RecordSchema>;

export interface LastKnownOptions {
  store: DiskStore;
  /** How long the last answer for a tag stands in for a registry that cannot be asked, in milliseconds. */
  staleOkMs: number;
  patienceMs?: number;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Told when an older answer stands in, and why. */
  onStale: (reference: string, cause: ModuleError) => void;
  /** Told of a disk that fails. */
  onProblem: (error: unknown) => void;
}

/**
 * Keeps what references stand for. Where a registry cannot be asked, a tag stands for what it last did, for a limited time,
 * also after a restart; a digest stands for the same for ever.
 */
export function lastKnown(registry: ModuleRegistry, options: LastKnownOptions): ModuleRegistry {
  const { store, staleOkMs, patienceMs = STALE_PATIENCE_MS, clock, onStale, onProblem } = options;
  const memory = new LRUCache<string, LastAnswer>({ max: MAX_REFERENCES });

  async function recall(name: string): Promise<LastAnswer | undefined> {
    const known = memory.get(name);
    if (known !== undefined) return known;
    try {
      const content = await store.read(fileOf(name));
      const record = content && parseJson(RecordSchema, content, 'what was known of a module');
      return record?.reference === name ? record : undefined;
    } catch (error) {
      onProblem(error);
      return undefined;
    }
  }

  async function remember(name: string, descriptor: Descriptor): Promise<void> {
    const record = { reference: name, descriptor, saidAt: clock() };
    memory.set(name, record);
    await store.write(fileOf(name), Buffer.from(JSON.stringify(record))).catch(onProblem);
  }

  async function ask(reference: Reference, signal: AbortSignal | undefined, canStandIn: boolean): Promise<Descriptor> {
    if (!canStandIn) return registry.resolve(reference, signal);
    const patience = new Patience(patienceMs, signal);
    return patience.until(registry.resolve(reference, patience.signal));
  }

  return {
    async resolve(reference, signal) {
      const name = referenceName(reference);
      const known = await recall(name);
      const isLasting = reference.digest !== undefined;
      const canStandIn = known !== undefined && (isLasting || clock() - known.saidAt < staleOkMs);
      try {
        const descriptor = await ask(reference, signal, canStandIn);
        await remember(name, descriptor);
        return descriptor;
      } catch (error) {
        if (known === undefined || !isOutage(error)) throw error;
        if (!canStandIn)
          throw new AbsentError(`${error.message}; what was known of ${name} is too old`, { cause: error });
        onStale(name, error);
        return known.descriptor;
      }
    },
    manifest: (...args) => registry.manifest(...args),
    blob: (...args) => registry.blob(...args),
  };
}

function isOutage(error: unknown): error is ModuleError {
  return error instanceof ModuleError && error.reason === 'unavailable' && !(error instanceof AbsentError);
}

function fileOf(name: string): string {
  return `references/${createHash('sha256').update(name).digest('hex')}.json`;
}
