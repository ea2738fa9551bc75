// TEMPORARY STUB so that the server boots while the real one is being written: overwrite me.
import type { Module, ModuleReference } from './module.ts';
export interface Modules {
  resolve(reference: ModuleReference): Promise<Module>;
}
export function createModules(_options: { registry: unknown }): Modules {
  return {
    resolve: async () => {
      throw new Error('not yet');
    },
  };
}
