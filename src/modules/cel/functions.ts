import {
  type CelFunc,
  type CelList,
  CelScalar,
  type CelType,
  type CelValue,
  celEnv,
  celFunc,
  celList,
  celMethod,
  isCelError,
  isCelList,
  isCelMap,
  listType,
} from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import { optionals } from './optionals.ts';
import type { Work } from './work.ts';

/** Longest string that a function may make, in UTF-16 code units. */
export const MAX_STRING_LENGTH = 1_048_576;
/** Longest list that a function or macro may make. */
export const MAX_LIST_LENGTH = 2_000;
/** Text and elements that are looked at in one step. */
const CHARACTERS_PER_STEP = 1024;
const ELEMENTS_PER_STEP = 64;

/** The body of a function; a method has its target as `this`. */
type Implementation = (this: CelValue | undefined, ...args: CelValue[]) => CelValue;

const { DYN, INT, STRING } = CelScalar;
const LIST = listType(DYN);

// The library's own is quadratic in time.
const replacements = [
  celMethod('replace', STRING, [STRING, STRING], STRING, function (from, to) {
    return replace(this, { from, to, count: Number.POSITIVE_INFINITY });
  }),
  celMethod('replace', STRING, [STRING, STRING, INT], STRING, function (from, to, count) {
    return replace(this, { from, to, count: count < 0n ? Number.POSITIVE_INFINITY : Number(count) });
  }),
];

/**
 * `list + list`, which `map` and `filter` call for every element. The library's own makes a list that is as deep as it
 * is long; this one copies arrays, and so remembers which array is behind a list.
 */
function concatenation(): CelFunc {
  const arrays = new WeakMap<CelList, readonly CelValue[]>();
  const elements = (list: CelList) => arrays.get(list) ?? [...list];
  return celFunc('_+_', [LIST, LIST], LIST, (left, right) => {
    if (left.size + right.size > MAX_LIST_LENGTH) throw tooLong('list', MAX_LIST_LENGTH);
    const array = [...elements(left), ...elements(right)];
    const list = celList(array);
    arrays.set(list, array);
    return list;
  });
}

/** All functions of CEL and its string extension, with `optional`; each is bounded in time and in what it makes. */
export function boundedFunctions(work: Work): CelFunc[] {
  const { funcs } = celEnv({ funcs: [...strings, ...optionals, ...replacements, concatenation()] });
  return [...funcs].map((func) => bounded(func, work));
}

function bounded(func: CelFunc, work: Work): CelFunc {
  const perStep = func.name === 'matches' ? 1 : CHARACTERS_PER_STEP;
  const implementation: Implementation = function (...args) {
    work.spend(cost(this, perStep) + args.reduce<number>((sum, arg) => sum + cost(arg, perStep), 0));
    // The id only marks errors, whose place is added by the caller.
    const result = func.call(0, this, args);
    if (result === undefined) throw new Error(`${func.name} does not take these values`);
    if (isCelError(result)) throw new Error(result.message, { cause: result });
    return withinLimits(result);
  };
  const types: readonly CelType[] = func.arguments;
  return func.target === undefined
    ? celFunc(func.name, types, func.result, implementation)
    : celMethod(func.name, func.target, types, func.result, implementation);
}

function cost(value: CelValue | undefined, charactersPerStep: number): number {
  if (typeof value === 'string') return value.length / charactersPerStep;
  return isCelList(value) || isCelMap(value) ? value.size / ELEMENTS_PER_STEP : 0;
}

function withinLimits(value: CelValue): CelValue {
  if (typeof value === 'string' && value.length > MAX_STRING_LENGTH) throw tooLong('string', MAX_STRING_LENGTH);
  if (isCelList(value) && value.size > MAX_LIST_LENGTH) throw tooLong('list', MAX_LIST_LENGTH);
  return value;
}

function replace(text: string, { from, to, count }: { from: string; to: string; count: number }): string {
  if (from === '') throw new Error('replace() needs something to look for');
  const parts = text.split(from);
  const times = Math.min(parts.length - 1, count);
  if (text.length + times * (to.length - from.length) > MAX_STRING_LENGTH) throw tooLong('string', MAX_STRING_LENGTH);
  const tail = parts.slice(times + 1).map((part) => from + part);
  return parts.slice(0, times + 1).join(to) + tail.join('');
}

function tooLong(what: string, limit: number): Error {
  return new Error(`makes a ${what} longer than ${limit}`);
}
