import { type CelEnv, type CelResult, celEnv, isCelError, parse, plan } from '@bufbuild/cel';
import type { Json } from '../module.ts';
import { checkNames, PARAMETERS } from './check-names.ts';
import { ExpressionError } from './expression-error.ts';
import { boundedFunctions } from './functions.ts';
import { countIterations, iterationCounter } from './iterations.ts';
import { withoutOptionalSyntax } from './optional-syntax.ts';
import { branchesOf, type Expr } from './syntax-tree.ts';
import { type Bindings, toJson } from './values.ts';
import type { Work } from './work.ts';

/** Longest expression, in UTF-16 code units. */
export const MAX_EXPRESSION_LENGTH = 4096;

/** A compiled CEL expression over `parameters`. */
export interface Expression {
  /** As it stands in the module, without `${` and `}`. */
  source: string;
  /** The parameters it uses. */
  parameters: ReadonlySet<string>;
  /** Parts of it that not every evaluation comes to: the sides of `? :`, and what stands right of `&&` and `||`. */
  branches: readonly Evaluate[];
  /**
   * Its value; `undefined` for an optional without value.
   * @throws {ExpressionError}
   */
  evaluate: Evaluate;
}

export type Evaluate = (bindings: Bindings) => Json | undefined;

/** Compiles expressions that share one allowance of work. */
export type Compile = (source: string) => Expression;

export function createCompiler(work: Work): Compile {
  const env = celEnv({ funcs: [...boundedFunctions(work), iterationCounter(work)] });
  return (source) => compile(source, env, work);
}

function compile(source: string, env: CelEnv, work: Work): Expression {
  if (source.length > MAX_EXPRESSION_LENGTH) {
    throw new ExpressionError('type', `is longer than ${MAX_EXPRESSION_LENGTH} characters`);
  }
  const expr = parsed(withoutOptionalSyntax(source));
  const parameters = checkNames(expr, env);
  countIterations(expr);
  return {
    source,
    parameters,
    branches: branchesOf(expr).map((branch) => evaluation(branch, env, work)),
    evaluate: evaluation(expr, env, work),
  };
}

function evaluation(expr: Expr, env: CelEnv, work: Work): Evaluate {
  const evaluate = plan(env, expr);
  return (bindings) => {
    const result = evaluate({ [PARAMETERS]: bindings });
    work.check();
    return toJson(unwrap(result));
  };
}

function parsed(source: string) {
  try {
    const { expr } = parse(source);
    if (expr !== undefined) return expr;
  } catch (error) {
    const message = error instanceof Error ? error.message : 'not valid';
    throw new ExpressionError('type', message, { cause: error });
  }
  throw new ExpressionError('type', 'is empty');
}

/** https://github.com/google/cel-spec/blob/v0.25.1/doc/langdef.md#runtime-errors: the library's words for `no_matching_overload`. */
const noOverload = 'found no matching overload';

function unwrap(result: CelResult) {
  if (!isCelError(result)) return result;
  throw new ExpressionError(result.message.startsWith(noOverload) ? 'type' : 'value', result.message, {
    cause: result,
  });
}
