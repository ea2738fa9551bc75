import type { Artifact } from './artifact.ts';
import { ChildEngine, openWorkshop } from './children/child-engine.ts';
import { type Module, ModuleError } from './module.ts';

/** The engines that render modules. */
export interface Engines {
  /**
   * Makes a module of an artifact's files.
   * @throws {ModuleError} `invalid` if its engine is not known, or does not take it; `engine` if that is not installed.
   */
  open(artifact: Artifact): Promise<Module>;
  /** Removes what is kept on disk. */
  close(): Promise<void>;
}

export interface EnginesOptions {
  /** Name or path of a program each. */
  helm?: string;
  kcl?: string;
  /** Folders with programs, as in `PATH`. */
  searchPath?: string;
  workshop?: ReturnType<typeof openWorkshop>;
}

/** Engines, each of them loaded when the first module asks for it: that takes time and memory. */
export function createEngines(options: EnginesOptions = {}): Engines {
  const { searchPath = process.env.PATH ?? '', workshop = openWorkshop() } = options;
  const helm = new ChildEngine('helm', { program: options.helm ?? 'helm', searchPath }, workshop);
  const kcl = new ChildEngine('kcl', { program: options.kcl ?? 'kcl', searchPath }, workshop);
  return {
    async open(artifact) {
      switch (artifact.engine) {
        case 'cel': {
          const { compileCelModule } = await import('./cel/cel-module.ts');
          return compileCelModule(artifact);
        }
        case 'helm': {
          const { openHelmModule } = await import('./helm/helm-module.ts');
          return openHelmModule(artifact, helm);
        }
        case 'kcl': {
          const { openKclModule } = await import('./kcl/kcl-module.ts');
          return openKclModule(artifact, kcl);
        }
        default: {
          const engine = JSON.stringify(artifact.engine);
          throw new ModuleError('invalid', `the module asks for the engine ${engine}; there are: cel, helm, kcl`);
        }
      }
    },
    close: () => workshop.folders.close(),
  };
}
