import type { FastifyBaseLogger } from 'fastify';
import { bounded, TimeLimitError } from '../bounded.ts';
import type { ClaimTemplate } from '../catalog/claim-template.ts';
import { ModuleError } from '../modules/module.ts';
import type { Modules } from '../modules/modules.ts';
import { parseReference } from '../modules/reference.ts';
import type { ModuleFinding } from './template-status.ts';

/** How often a tag is looked up again, and a module that could not be had; in milliseconds. */
const RESOLVE_INTERVAL_MS = 300_000;
const RETRY_INTERVAL_MS = 30_000;
/** How long one look may take, in milliseconds. */
const FIND_LIMIT_MS = 30_000;

export interface ModuleFinderOptions {
  modules: Modules;
  intervalMs?: number;
  retryIntervalMs?: number;
  /** Milliseconds that never go back. */
  monotonic: () => number;
  /** From 0 up to, without, 1. */
  random: () => number;
  log: Pick<FastifyBaseLogger, 'error'>;
}

export interface Finding {
  module: ModuleFinding;
  /** When it is to be looked for again, by `monotonic`; undefined if that would find the same for ever. */
  due: number | undefined;
}

/** Looks for the modules of templates, and says when to look again. */
export class ModuleFinder {
  readonly #options: ModuleFinderOptions & { intervalMs: number; retryIntervalMs: number };

  constructor(options: ModuleFinderOptions) {
    this.#options = { intervalMs: RESOLVE_INTERVAL_MS, retryIntervalMs: RETRY_INTERVAL_MS, ...options };
  }

  async find(template: ClaimTemplate): Promise<Finding> {
    const module = await this.#look(template);
    return { module, due: this.#due(template, module) };
  }

  async #look({ metadata, spec }: ClaimTemplate): Promise<ModuleFinding> {
    try {
      const module = await bounded(this.#options.modules.resolve(spec), FIND_LIMIT_MS);
      // A module that does not fit the parameters would fail every order.
      module.bind(spec.parameters);
      return { found: 'digest', digest: module.digest };
    } catch (error) {
      if (error instanceof ModuleError) return { found: 'failure', reason: error.reason, message: error.message };
      if (error instanceof TimeLimitError) return { found: 'unknown', message: `the module: ${error.message}` };
      this.#options.log.error({ err: error, template: metadata.name }, 'looking for a module failed');
      return { found: 'unknown', message: 'looking for the module failed' };
    }
  }

  #due({ spec }: ClaimTemplate, module: ModuleFinding): number | undefined {
    const { intervalMs, retryIntervalMs, monotonic, random } = this.#options;
    const isFinal = module.found === 'digest' && parseReference(spec).digest !== undefined;
    if (isFinal) return undefined;
    const isSettled = module.found === 'digest' || (module.found === 'failure' && module.reason !== 'unavailable');
    return monotonic() + (isSettled ? intervalMs : retryIntervalMs) * (0.75 + random() / 2);
  }
}
