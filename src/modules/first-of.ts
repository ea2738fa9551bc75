import { firstContent, firstResult } from './first-source.ts';
import { AbsentError } from './module.ts';
import type { ModuleRegistry } from './registry.ts';

/** Two registries as one: what the first does not have is asked of the second. A first that fails otherwise has the say. */
export function firstOf(first: ModuleRegistry, second: ModuleRegistry): ModuleRegistry {
  const isAbsent = (error: unknown) => error instanceof AbsentError;
  return {
    resolve: (...args) => firstResult([() => first.resolve(...args), () => second.resolve(...args)], isAbsent),
    manifest: (...args) => firstContent([() => first.manifest(...args), () => second.manifest(...args)], isAbsent),
    blob: (...args) => firstContent([() => first.blob(...args), () => second.blob(...args)], isAbsent),
  };
}
