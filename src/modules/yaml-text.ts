import type { Json } from './module.ts';

/**
 * Strings that every reader of YAML 1.1 and 1.2 takes for the same string without quotes: names, DNS names, API versions,
 * and quantities of Kubernetes. Narrow on purpose: whatever is not plainly safe is double-quoted, also what only a lenient
 * reader takes for a number, like `e5`.
 */
const plainName = /^(?![eE]-?[0-9]+$)[A-Za-z][A-Za-z0-9_./-]*$/;
const plainQuantity = /^[0-9]+(?:[KMGTPE]i|[kMGTP])$/;
/** What YAML 1.1 takes for a boolean or null: https://yaml.org/type/bool.html, https://yaml.org/type/null.html */
const reserved = new Set(['y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false', 'null']);
/** What JSON leaves as it is, but YAML does not allow, or takes for a line break or byte order mark. */
const special = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;
/** Longest key that may stand without `?`, in characters: YAML allows 1024 with its quotes and indentation. */
const MAX_IMPLICIT_KEY = 256;

/**
 * Writes a value as one YAML document, in block style, ending in a line break. Values are data: nothing in them can
 * become structure. Read by YAML 1.1 and 1.2 alike; same value, same text.
 * @throws {RangeError} if the text gets longer than `maxLength` UTF-16 code units.
 */
export function yamlText(value: Json, maxLength: number): string {
  const text = new Text(maxLength);
  if (isBlock(value)) writeBlock(text, value, '');
  else text.add(inline(value));
  text.add('\n');
  return text.value;
}

class Text {
  value = '';
  readonly #maxLength: number;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  add(part: string): void {
    this.value += part;
    if (this.value.length > this.#maxLength) throw new RangeError(`more than ${this.#maxLength} characters`);
  }
}

type Collection = Json[] | { [key: string]: Json };
type Inline = null | boolean | number | string | Collection;

/** Whether the value takes lines of its own. */
function isBlock(value: Json): value is Collection {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** Writes the collection at the place where its first entry begins; the other entries start on lines with `indent`. */
function writeBlock(text: Text, collection: Collection, indent: string): void {
  let lead = '';
  if (Array.isArray(collection)) {
    for (const item of collection) {
      text.add(`${lead}- `);
      lead = `\n${indent}`;
      if (isBlock(item)) writeBlock(text, item, `${indent}  `);
      else text.add(inline(item));
    }
    return;
  }
  for (const [key, value] of Object.entries(collection)) {
    text.add(lead);
    lead = `\n${indent}`;
    text.add(keyText(key, indent));
    writeMember(text, value, indent);
  }
}

function writeMember(text: Text, value: Json, indent: string): void {
  if (!isBlock(value)) {
    text.add(` ${inline(value)}`);
    return;
  }
  const inner = `${indent}  `;
  text.add(`\n${inner}`);
  writeBlock(text, value, inner);
}

function keyText(key: string, indent: string): string {
  const text = stringText(key);
  return text.length > MAX_IMPLICIT_KEY ? `? ${text}\n${indent}:` : `${text}:`;
}

function inline(value: Inline): string {
  switch (typeof value) {
    case 'string':
      return stringText(value);
    case 'number':
      return numberText(value);
    case 'boolean':
      return String(value);
    default:
      return value === null ? 'null' : Array.isArray(value) ? '[]' : '{}';
  }
}

function stringText(text: string): string {
  if (plainName.test(text) ? !reserved.has(text.toLowerCase()) : plainQuantity.test(text)) return text;
  return JSON.stringify(text).replace(special, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** JSON's numbers, except that YAML 1.1 takes `1e+21` and `-0` for a string and an integer. */
function numberText(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  const text = String(value);
  return text.includes('e') && !text.includes('.') ? text.replace('e', '.0e') : text;
}
