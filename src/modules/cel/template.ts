import { isExactNumber } from '../../exact-number.ts';
import { type Json, ModuleError } from '../module.ts';
import type { Compile } from './expression.ts';
import { ExpressionError } from './expression-error.ts';
import { MAX_STRING_LENGTH } from './functions.ts';
import { compileAt, evaluateAt, moduleError, type Place, type PlacedExpression, placeText } from './place.ts';
import { PlaceholderError, splitPlaceholders } from './placeholders.ts';
import type { Bindings } from './values.ts';

/** Deepest nesting of a template. */
export const MAX_TEMPLATE_DEPTH = 64;
/** Most expressions of a module. */
export const MAX_EXPRESSIONS = 512;

/** A compiled piece of a template; `undefined` drops the key or element it stands for. */
export type Node = (bindings: Bindings) => Json | undefined;

/** What compiling a module's templates needs, and finds. */
export interface Compilation {
  compile: Compile;
  /** All expressions so far. */
  expressions: PlacedExpression[];
  positionOf(at: Location, part: string): Place['position'];
}

type Location = Omit<Place, 'position'>;

/**
 * Compiles a piece of a template: a string that is exactly one `${…}` becomes the expression's value with its type, other
 * strings are interpolated, everything else stays what it is.
 * @throws {ModuleError} `invalid`
 */
export function compileTemplate(value: unknown, at: Location, compilation: Compilation): Node {
  if (at.path.length > MAX_TEMPLATE_DEPTH) throw refused(at, compilation, 'is nested too deep');
  if (typeof value === 'string') return compileText(value, at, compilation);
  if (Array.isArray(value)) return compileList(value, at, compilation);
  if (typeof value === 'object' && value !== null) return compileMap(value, at, compilation);
  if (value === null || typeof value === 'boolean') return () => value;
  if (typeof value === 'number' && isExactNumber(value)) return () => value;
  throw refused(at, compilation, 'is not a value that every reader takes for the same');
}

/**
 * Compiles a condition of `includeWhen`.
 * @throws {ModuleError} `invalid` unless the string is exactly one `${…}`.
 */
export function compileCondition(text: string, at: Location, compilation: Compilation): PlacedExpression {
  const [segment, ...more] = split(text, at, compilation);
  if (segment?.kind !== 'expression' || more.length > 0) throw refused(at, compilation, 'is not exactly one ${…}');
  return addExpression({ source: segment.source, needsValue: true }, at, compilation);
}

function compileMap(map: object, at: Location, compilation: Compilation): Node {
  const members = Object.entries(map).map(([key, value]): [string, Node] => {
    const inner = { ...at, path: [...at.path, key] };
    if (key.includes('${')) throw refused(inner, compilation, 'is a key with ${…}, which only values may have');
    return [key, compileTemplate(value, inner, compilation)];
  });
  return (bindings) => {
    // No prototype, so that a key like `__proto__` is a key.
    const result: { [key: string]: Json } = Object.create(null);
    for (const [key, node] of members) {
      const value = node(bindings);
      if (value !== undefined) result[key] = value;
    }
    return result;
  };
}

function compileList(list: readonly unknown[], at: Location, compilation: Compilation): Node {
  const items = list.map((item, index) => compileTemplate(item, { ...at, path: [...at.path, index] }, compilation));
  return (bindings) => items.map((node) => node(bindings)).filter((value) => value !== undefined);
}

function compileText(text: string, at: Location, compilation: Compilation): Node {
  const segments = split(text, at, compilation);
  const [first] = segments;
  if (first?.kind === 'expression' && segments.length === 1) {
    const expression = addExpression({ source: first.source, needsValue: false }, at, compilation);
    return (bindings) => evaluateAt(expression, bindings);
  }
  if (segments.every((segment) => segment.kind === 'text')) return () => text;
  const parts = segments.map((segment) => {
    if (segment.kind === 'text') return () => segment.text;
    const expression = addExpression({ source: segment.source, needsValue: true }, at, compilation);
    return (bindings: Bindings) => interpolated(expression, bindings);
  });
  return (bindings) => {
    let result = '';
    for (const part of parts) {
      result += part(bindings);
      if (result.length > MAX_STRING_LENGTH) throw tooLong(at, compilation);
    }
    return result;
  };
}

function interpolated(expression: PlacedExpression, bindings: Bindings): string {
  const value = evaluateAt(expression, bindings);
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'boolean':
      return String(value);
    default: {
      const message = `the result is ${value === undefined ? 'no value' : JSON.stringify(value)}, which is no text`;
      throw moduleError('render', expression, new ExpressionError('value', message));
    }
  }
}

function addExpression(
  { source, needsValue }: { source: string; needsValue: boolean },
  at: Location,
  compilation: Compilation,
): PlacedExpression {
  if (compilation.expressions.length >= MAX_EXPRESSIONS) {
    throw refused(at, compilation, `is beyond the ${MAX_EXPRESSIONS} expressions that a module may have`);
  }
  const place = { ...at, position: compilation.positionOf(at, `\${${source}}`) };
  const expression = compileAt({ place, needsValue }, source, compilation.compile);
  compilation.expressions.push(expression);
  return expression;
}

function split(text: string, at: Location, compilation: Compilation) {
  try {
    return splitPlaceholders(text);
  } catch (error) {
    if (error instanceof PlaceholderError) throw refused(at, compilation, error.message);
    throw error;
  }
}

function tooLong(at: Location, { positionOf }: Compilation): ModuleError {
  const place = placeText({ ...at, position: positionOf(at, '') });
  return new ModuleError('render', `${place}: makes a string longer than ${MAX_STRING_LENGTH}`);
}

function refused(at: Location, { positionOf }: Compilation, why: string): ModuleError {
  return new ModuleError('invalid', `${placeText({ ...at, position: positionOf(at, '') })}: ${why}`);
}
