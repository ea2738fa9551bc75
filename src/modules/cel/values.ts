import {
  type CelInput,
  type CelList,
  type CelMap,
  type CelValue,
  isCelList,
  isCelMap,
  isCelType,
  isCelUint,
} from '@bufbuild/cel';
import type { Parameter, ParameterType } from '../../catalog/claim-template.ts';
import type { Json, ParameterValues } from '../module.ts';
import { ExpressionError } from './expression-error.ts';
import { NONE } from './optionals.ts';

/** Deepest nesting of a value, of a parameter as well as of a result. */
export const MAX_VALUE_DEPTH = 32;
/** Most elements and members that the parameters of one rendering, or the result of one expression, may have in all. */
export const MAX_VALUE_NODES = 20_000;

/** What an expression sees as `parameters`. */
export type Bindings = ReadonlyMap<string, CelInput>;

/** Whether a value is still within the limits; one for each tree that is walked. */
class Size {
  #nodes = 0;

  enter(depth: number): void {
    this.#nodes += 1;
    if (this.#nodes > MAX_VALUE_NODES) {
      throw new ExpressionError('value', `has more than ${MAX_VALUE_NODES} values`);
    }
    if (depth > MAX_VALUE_DEPTH) throw new ExpressionError('value', `is nested deeper than ${MAX_VALUE_DEPTH}`);
  }
}

/**
 * Parameters as CEL sees them, by their declared types: `integer` is an int, `number` a double. Where no type is
 * declared, inside of arrays and objects, a whole number is an int. What has no value has no key.
 * @throws {ExpressionError} naming the parameter.
 */
export function bindingsOf(values: ParameterValues, parameters: readonly Parameter[]): Bindings {
  const bindings = new Map<string, CelInput>();
  const size = new Size();
  for (const { name, type, items } of parameters) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) continue;
    try {
      bindings.set(name, toCel(value, { type, items: items?.type, depth: 0, size }));
    } catch (error) {
      const why = error instanceof Error ? error.message : 'not usable';
      throw new ExpressionError('value', `parameter ${name}: ${why}`, { cause: error });
    }
  }
  return bindings;
}

interface Target {
  type: ParameterType | undefined;
  items: ParameterType | undefined;
  depth: number;
  size: Size;
}

function toCel(value: Json, { type, items, depth, size }: Target): CelInput {
  size.enter(depth);
  if (typeof value === 'number') {
    if (type === 'integer') return BigInt(value);
    return type === undefined && Number.isSafeInteger(value) ? BigInt(value) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const inner = { type: items, items: undefined, depth: depth + 1, size };
  if (Array.isArray(value)) return value.map((item) => toCel(item, inner));
  return new Map(Object.entries(value).map(([key, member]) => [key, toCel(member, { ...inner, type: undefined })]));
}

/**
 * A result as JSON; `undefined` for `optional.none()`, which also drops the key or element that has it inside a result.
 * @throws {ExpressionError} for what YAML cannot hold without loss.
 */
export function toJson(value: CelValue): Json | undefined {
  return fromCel(value, 0, new Size());
}

function fromCel(value: CelValue, depth: number, size: Size): Json | undefined {
  if (value === NONE) return undefined;
  size.enter(depth);
  switch (typeof value) {
    case 'string':
      return wellFormed(value);
    case 'bigint':
      return integer(value);
    case 'number':
      if (!Number.isFinite(value)) throw new ExpressionError('value', `the result ${value} is not a finite number`);
      return value;
    case 'boolean':
      return value;
    default:
      return value === null ? null : fromObject(value, depth, size);
  }
}

function fromObject(value: CelValue & object, depth: number, size: Size): Json {
  if (isCelList(value)) return fromList(value, depth, size);
  if (isCelMap(value)) return fromMap(value, depth, size);
  if (isCelUint(value)) return integer(value.value);
  throw new ExpressionError('type', `the result is ${kindOf(value)}, which has no place in a document`);
}

function fromList(list: CelList, depth: number, size: Size): Json {
  const items: Json[] = [];
  for (const item of list) {
    const json = fromCel(item, depth + 1, size);
    if (json !== undefined) items.push(json);
  }
  return items;
}

function fromMap(map: CelMap, depth: number, size: Size): Json {
  // No prototype, so that a key like `__proto__` is a key.
  const members: { [key: string]: Json } = Object.create(null);
  for (const [key, member] of map) {
    if (typeof key !== 'string') throw new ExpressionError('type', 'the result has a key that is not a string');
    const json = fromCel(member, depth + 1, size);
    if (json !== undefined) members[wellFormed(key)] = json;
  }
  return members;
}

function wellFormed(text: string): string {
  if (text.isWellFormed()) return text;
  throw new ExpressionError('value', 'the result has half of a surrogate pair, which is not Unicode text');
}

function integer(value: bigint): number {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw new ExpressionError('value', `the result ${value} is beyond the integers that are safe in JSON`);
}

function kindOf(value: CelValue & object): string {
  if (value instanceof Uint8Array) return 'bytes';
  return isCelType(value) ? 'a type' : 'a timestamp, duration or message';
}
