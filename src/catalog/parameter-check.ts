import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { isExactNumber } from '../exact-number.ts';
import type { Parameter, ParameterType } from './claim-template.ts';

/** Elements of an array; a claim has room for no more. */
export const MAX_ITEMS = 1000;

const MAX_PATTERNS = 256;
const patterns = new LRUCache<string, RE2JS>({ max: MAX_PATTERNS });

/** Why a value does not fit a parameter, one reason per broken rule; empty if it fits. */
export type ParameterCheck = (value: unknown) => string[];

const article: Record<ParameterType, string> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

/**
 * Compiles the rules of one parameter (specification "Parameter"): type, enum, pattern, minLength, maxLength.
 * Patterns are unanchored, as in JSON Schema, and run in linear time; lengths count Unicode code points.
 * @throws {RE2JSSyntaxException} if the pattern is not an RE2 one.
 */
export function compileParameter(parameter: Parameter): ParameterCheck {
  const { type, items } = parameter;
  const rules = type === 'string' ? stringRules(parameter) : [];

  return (value) => {
    if (!isOfType(type, value)) return [`must be ${article[type]}`];
    if (!isExact(value)) return ['holds text that is not valid Unicode, or a number too large to be kept exactly'];
    if (Array.isArray(value)) return checkItems(items?.type, value);
    return typeof value === 'string' ? rules.flatMap((rule) => rule(value) ?? []) : [];
  };
}

type StringRule = (value: string) => string | undefined;

function stringRules({ enum: allowed, pattern, minLength, maxLength }: Parameter): StringRule[] {
  const rules: StringRule[] = [];
  if (allowed !== undefined) {
    const set = new Set(allowed);
    rules.push((value) => (set.has(value) ? undefined : `must be one of ${allowed.join(', ')}`));
  }
  if (minLength !== undefined) {
    rules.push((value) => (codePoints(value) < minLength ? `must have at least ${minLength} characters` : undefined));
  }
  if (maxLength !== undefined) {
    rules.push((value) => (codePoints(value) > maxLength ? `must have at most ${maxLength} characters` : undefined));
  }
  if (pattern !== undefined) {
    const expression = compilePattern(pattern);
    rules.push((value) => (expression.test(value) ? undefined : `must match the pattern ${pattern}`));
  }
  return rules;
}

/** Many templates share few patterns, and to compile one takes longer than all else that is done with a parameter. */
function compilePattern(pattern: string): RE2JS {
  const known = patterns.get(pattern);
  if (known !== undefined) return known;
  const compiled = RE2JS.compile(pattern);
  patterns.set(pattern, compiled);
  return compiled;
}

function checkItems(type: ParameterType | undefined, values: readonly unknown[]): string[] {
  if (values.length > MAX_ITEMS) return [`must have at most ${MAX_ITEMS} elements`];
  if (type === undefined) return [];
  const wrong = values.findIndex((value) => !isOfType(type, value));
  return wrong === -1 ? [] : [`element ${wrong} must be ${article[type]}`];
}

function isOfType(type: ParameterType, value: unknown): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return Number.isFinite(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
  }
}

/** Whether a value reaches the claim as it was given: UTF-8 has no lone surrogates, and large integers lost digits in JSON. */
function isExact(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value === 'number') return isExactNumber(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, child]) => key.isWellFormed() && isExact(child));
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
