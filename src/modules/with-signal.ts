import type { ModuleRegistry } from './registry.ts';

/** The same registry, every call of which `signal` ends. */
export function withSignal(registry: ModuleRegistry, signal: AbortSignal): ModuleRegistry {
  return {
    resolve: (reference) => registry.resolve(reference, signal),
    manifest: (reference, digest) => registry.manifest(reference, digest, signal),
    blob: (reference, digest) => registry.blob(reference, digest, signal),
  };
}
