import type { Parameter } from '../catalog/claim-template.ts';
import type { ParameterCheck } from '../catalog/parameter-check.ts';
import type { Json, ParameterValues } from '../modules/module.ts';

/** The option by which clients let the service pick a value of an enum; specification "Parameter", allowRandom. */
export const RANDOM_OPTION = '🎲 Random';

/** A parameter with its compiled rules. */
export interface CheckedParameter {
  parameter: Parameter;
  check: ParameterCheck;
}

/** Why one parameter of an order was refused. */
export interface ParameterProblem {
  name: string;
  reason: string;
}

export interface ResolvedValues {
  /** What the claim is rendered with: what was given, else defaults. Only whole if there are no problems. */
  values: ParameterValues;
  /** Names of required parameters with neither value nor default. */
  missing: string[];
  invalid: ParameterProblem[];
}

/**
 * Turns the parameters of an order into the values to render with; every broken rule is told at once.
 * `null` counts as not given. A hidden parameter always takes its default, whatever was sent.
 * @param randomIndex picks an integer from 0 up to, without, its argument.
 */
export function resolveValues(
  parameters: readonly CheckedParameter[],
  given: Readonly<Record<string, Json>>,
  randomIndex: (length: number) => number,
): ResolvedValues {
  const resolved: ResolvedValues = { values: {}, missing: [], invalid: [] };
  const names = new Set(parameters.map(({ parameter }) => parameter.name));
  for (const name of Object.keys(given)) {
    if (!names.has(name)) resolved.invalid.push({ name, reason: 'is not a parameter of this template' });
  }
  for (const { parameter, check } of parameters) {
    const value = pickValue(parameter, given, randomIndex);
    if (value === undefined) {
      if (parameter.required) resolved.missing.push(parameter.name);
      continue;
    }
    for (const reason of check(value)) resolved.invalid.push({ name: parameter.name, reason });
    resolved.values[parameter.name] = value;
  }
  return resolved;
}

function pickValue(
  parameter: Parameter,
  given: Readonly<Record<string, Json>>,
  randomIndex: (length: number) => number,
): Json | undefined {
  const { name, hidden, allowRandom, enum: options } = parameter;
  const sent = hidden || !Object.hasOwn(given, name) ? undefined : given[name];
  if (sent === RANDOM_OPTION && allowRandom && options) return options[randomIndex(options.length)];
  // A default was read from a JSON or YAML document, and checked when its template was accepted.
  return sent ?? (parameter.default as Json | undefined) ?? undefined;
}
