import type { Json, ParameterValues } from '../module.ts';

/**
 * Strings that stay one plain value wherever in YAML they are pasted, quoted or not: names, quantities, addresses, words
 * with single spaces. Narrow on purpose.
 */
const harmless = /^(?!-(?: |$)|---|\.\.\.)[A-Za-z0-9_./+=@~-]+(?:[ :][A-Za-z0-9_./+=@~-]+)*$/;

/** Whether a value has strings, or keys, that could become structure where a template pastes them into YAML text. */
export function isRisky(value: Json): boolean {
  if (typeof value === 'string') return value !== '' && !harmless.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]) => (!Array.isArray(value) && isRisky(key)) || isRisky(member));
}

/** Values with harmless strings of the same length in place of the risky ones, made of `letter`. */
export function maskedValues(values: ParameterValues, letter: string): ParameterValues {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, masked(value, letter)]));
}

function masked(value: Json, letter: string): Json {
  if (typeof value === 'string') return maskedText(value, letter);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => masked(item, letter));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [maskedText(key, letter), masked(member, letter)]),
  );
}

/** Letters and digits stay, so that what a template decides by them stays the same. */
function maskedText(text: string, letter: string): string {
  return isRisky(text) ? text.replace(/[^A-Za-z0-9_]/gu, letter) : text;
}
