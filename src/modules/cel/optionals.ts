import { CelScalar, type CelValue, celFunc, celMethod, isCelList, isCelMap, objectType } from '@bufbuild/cel';
import { INDEX, SELECT } from './optional-syntax.ts';

const { BOOL, DYN, STRING } = CelScalar;

/** Result of `optional.none()`: what it is put into has no such key or element. */
export const NONE: CelValue = objectType('optional_type.none');

/** What `value()` says of an optional without value. */
export const NO_VALUE = 'optional.none() has no value';

/**
 * Optionals as in https://pkg.go.dev/github.com/google/cel-go/cel#OptionalTypes, except that one with a value is that
 * value itself: expressions have no types here by which the two could be told apart.
 */
export const optionals = [
  celFunc('optional.none', [], DYN, () => NONE),
  celFunc('optional.of', [DYN], DYN, (value) => value),
  celFunc('optional.ofNonZeroValue', [DYN], DYN, (value) => (isZero(value) ? NONE : value)),
  celMethod('hasValue', DYN, [], BOOL, function () {
    return this !== NONE;
  }),
  celMethod('value', DYN, [], DYN, function () {
    if (this === NONE) throw new Error(NO_VALUE);
    return this;
  }),
  celMethod('orValue', DYN, [DYN], DYN, function (other) {
    return this === NONE ? other : this;
  }),
  celMethod('or', DYN, [DYN], DYN, function (other) {
    return this === NONE ? other : this;
  }),
  celMethod(SELECT, DYN, [STRING], DYN, function (name) {
    return entryOf(this, name);
  }),
  celMethod(INDEX, DYN, [DYN], DYN, function (key) {
    return entryOf(this, key);
  }),
];

function entryOf(value: CelValue, key: CelValue): CelValue {
  if (value === NONE) return NONE;
  if (isCelMap(value) && (typeof key === 'string' || typeof key === 'bigint' || typeof key === 'boolean')) {
    return value.get(key) ?? NONE;
  }
  if (isCelList(value) && typeof key === 'bigint') return value.get(Number(key)) ?? NONE;
  throw new Error('found no matching overload: only maps and lists have entries');
}

function isZero(value: CelValue): boolean {
  if (isCelList(value) || isCelMap(value)) return value.size === 0;
  return value === null || value === '' || value === 0n || value === 0 || value === false;
}
