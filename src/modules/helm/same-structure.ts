import type { Json } from '../module.ts';

/**
 * Whether a document has the structure of two others, which were made of harmless values that differ: the same fields,
 * and whatever those two agree on. Where they do not, a value is behind it, so that may be any scalar.
 */
export function hasSameStructure(actual: Json, one: Json, other: Json): boolean {
  if (isScalar(one) || isScalar(other)) {
    return isScalar(one) && isScalar(other) && isScalar(actual) && (one !== other || actual === one);
  }
  if (isScalar(actual) || Array.isArray(actual) !== Array.isArray(one) || Array.isArray(one) !== Array.isArray(other)) {
    return false;
  }
  const [entries, first, second] = [Object.entries(actual), Object.entries(one), Object.entries(other)];
  if (entries.length !== first.length || entries.length !== second.length) return false;
  return entries.every(([key, value], index) => {
    const [firstKey = '', firstValue = null] = first[index] ?? [];
    const [secondKey = '', secondValue = null] = second[index] ?? [];
    return (firstKey !== secondKey || key === firstKey) && hasSameStructure(value, firstValue, secondValue);
  });
}

function isScalar(value: Json): value is null | boolean | number | string {
  return typeof value !== 'object' || value === null;
}
