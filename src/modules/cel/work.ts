import { ExpressionError } from './expression-error.ts';

/**
 * Most steps of one rendering. A step is an iteration of a macro, a function call inside one, or a kibibyte of text
 * looked at; it takes about a microsecond. CEL always ends, but nested macros over long lists would end too late.
 */
export const MAX_STEPS = 100_000;

/** Counts what one rendering has cost. Evaluation is synchronous, so one counter serves all renderings of a module. */
export class Work {
  #left = MAX_STEPS;

  restart(): void {
    this.#left = MAX_STEPS;
  }

  spend(steps: number): void {
    this.#left -= steps;
    this.check();
  }

  /** CEL's `&&` and `||` may swallow an error of one side, so this is asked again after each expression. */
  check(): void {
    if (this.#left < 0) throw new ExpressionError('value', `takes more than ${MAX_STEPS} steps`);
  }
}
