import type { Json } from '../module.ts';
import { ExpressionError } from './expression-error.ts';
import type { ModuleFile } from './module-file.ts';
import { evaluateAt, moduleError, type PlacedExpression } from './place.ts';
import { type Compilation, compileCondition, compileTemplate, type Node } from './template.ts';
import type { Bindings } from './values.ts';

/** A compiled resource of a module: one document, or none. */
export interface Resource {
  conditions: readonly PlacedExpression[];
  template: Node;
  /** Those of conditions and template. */
  expressions: readonly PlacedExpression[];
}

export function compileResource(
  { id, includeWhen = [], template }: ModuleFile['spec']['resources'][number],
  compilation: Compilation,
): Resource {
  const before = compilation.expressions.length;
  const conditions = includeWhen.map((text, index) =>
    compileCondition(text, { resource: id, path: ['includeWhen', index] }, compilation),
  );
  const node = compileTemplate(template, { resource: id, path: ['template'] }, compilation);
  return { conditions, template: node, expressions: compilation.expressions.slice(before) };
}

/**
 * The document, or `undefined` if a condition does not hold.
 * @throws {ModuleError} `render`
 */
export function renderResource({ conditions, template }: Resource, bindings: Bindings): Json | undefined {
  return conditions.every((condition) => holds(condition, bindings)) ? template(bindings) : undefined;
}

function holds(condition: PlacedExpression, bindings: Bindings): boolean {
  const value = evaluateAt(condition, bindings);
  if (typeof value === 'boolean') return value;
  throw moduleError('render', condition, new ExpressionError('type', 'the result is neither true nor false'));
}
