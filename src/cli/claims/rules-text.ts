import type { Parameter } from '../../catalog/claim-template.ts';
import type { Json } from '../../modules/module.ts';

/** The rules of a parameter beyond its type, for people, in a few words. */
export function rulesText(parameter: Parameter): string {
  return [optionsText(parameter), formText(parameter)].filter(Boolean).join('; ');
}

function optionsText({ enum: options, allowRandom }: Parameter): string {
  if (options === undefined) return '';
  return `one of ${options.join(', ')}${allowRandom ? ', or by chance' : ''}`;
}

/** Length and pattern of a string. */
export function formText({ pattern, minLength, maxLength }: Parameter): string {
  return [lengthText(minLength, maxLength), pattern && `like ${pattern}`].filter(Boolean).join('; ');
}

function lengthText(min: number | undefined, max: number | undefined): string | undefined {
  if (min === undefined && max === undefined) return undefined;
  if (max === undefined) return `at least ${min} characters`;
  return min === undefined ? `at most ${max} characters` : `${min} to ${max} characters`;
}

/** Type of the values, with that of an array's elements. */
export function typeText({ type, items }: Parameter): string {
  return items === undefined ? type : `${type} of ${items.type}`;
}

/** What is taken where no value is given; it was checked against the type when its template was accepted. */
export function defaultOf(parameter: Parameter): Json | undefined {
  return parameter.default as Json | undefined;
}

/** A value as one would type it. */
export function valueText(value: Json | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
