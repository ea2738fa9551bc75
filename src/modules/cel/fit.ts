import type { Parameter, ParameterType } from '../../catalog/claim-template.ts';
import type { Json } from '../module.ts';
import type { Evaluate } from './expression.ts';
import { ExpressionError } from './expression-error.ts';
import { NO_VALUE } from './optionals.ts';
import { moduleError, type PlacedExpression } from './place.ts';
import type { Resource } from './resource.ts';
import { type Bindings, bindingsOf } from './values.ts';

/**
 * Finds out before the first order whether resources can work with a template's parameters. The library does not check
 * types, so every expression, and each side of its branches, is tried with a value of the declared type for each
 * parameter: an operator that is not there for these types never will be. Then once more without the parameters that may
 * have no value.
 * @throws {ModuleError} `invalid`
 */
export function checkFit(resources: readonly Resource[], parameters: readonly Parameter[]): void {
  const names = new Set(parameters.map(({ name }) => name));
  const all = samples(parameters);
  const certain = samples(parameters.filter(hasValue));
  for (const { conditions, expressions } of resources) {
    for (const expression of expressions) checkNames(expression, names);
    for (const expression of expressions) tryTypes(expression, all);
    for (const condition of conditions) checkBoolean(condition, all);
    if (!conditions.every((condition) => holdsWithout(condition, certain))) continue;
    for (const expression of expressions) tryWithout(expression, certain);
  }
}

/** Whether every order has a value for the parameter. */
function hasValue({ required, default: value }: Parameter): boolean {
  return required === true || (value !== undefined && value !== null);
}

function checkNames(expression: PlacedExpression, names: ReadonlySet<string>): void {
  for (const name of expression.parameters) {
    if (!names.has(name)) throw misfit(expression, `the template has no parameter ${name}`);
  }
}

function tryTypes(expression: PlacedExpression, bindings: Bindings): void {
  for (const evaluate of [expression.evaluate, ...expression.branches]) {
    const result = outcome({ evaluate }, bindings);
    if (result instanceof ExpressionError && result.kind === 'type') throw moduleError('invalid', expression, result);
  }
}

function checkBoolean(condition: PlacedExpression, bindings: Bindings): void {
  const result = outcome(condition, bindings);
  if (typeof result === 'boolean' || result instanceof ExpressionError) return;
  throw misfit(condition, 'the result is neither true nor false');
}

/** Whether a condition lets the resource be in an order that leaves out whatever it may; asked in the order of evaluation. */
function holdsWithout(condition: PlacedExpression, bindings: Bindings): boolean {
  tryWithout(condition, bindings);
  return outcome(condition, bindings) === true;
}

function tryWithout(expression: PlacedExpression, bindings: Bindings): void {
  const absent = [...expression.parameters].filter((name) => !bindings.has(name));
  const name = missed(outcome(expression, bindings), absent, expression.needsValue);
  if (name === undefined) return;
  throw misfit(expression, `${name} may have no value; ask has(parameters.${name}) first, or give it a default`);
}

/** Which of the parameters without value keeps an expression from a result. */
function missed(
  result: ReturnType<typeof outcome>,
  absent: readonly string[],
  needsValue: boolean,
): string | undefined {
  if (result === undefined) return needsValue ? absent[0] : undefined;
  if (!(result instanceof ExpressionError)) return undefined;
  if (result.kind === 'type' || result.message === NO_VALUE) return absent[0];
  // The library's words for a map without this key.
  return absent.find((name) => result.message === `field not found: ${name}`);
}

/** The result, or why there is none. */
function outcome({ evaluate }: { evaluate: Evaluate }, bindings: Bindings): Json | undefined | ExpressionError {
  try {
    return evaluate(bindings);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
}

function samples(parameters: readonly Parameter[]): Bindings {
  return bindingsOf(Object.fromEntries(parameters.map((one) => [one.name, sampleOf(one)])), parameters);
}

function sampleOf({ type, enum: values, items }: Parameter): Json {
  if (type === 'array') return items === undefined ? [] : [sampleOfType(items.type)];
  return values?.[0] ?? sampleOfType(type);
}

function sampleOfType(type: ParameterType): Json {
  switch (type) {
    case 'string':
      return '';
    case 'integer':
      return 1;
    case 'number':
      return 0.5;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return {};
  }
}

function misfit(expression: PlacedExpression, message: string): unknown {
  return moduleError('invalid', expression, new ExpressionError('type', message));
}
