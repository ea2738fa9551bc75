import { type CollectionTag, parseAllDocuments, type ScalarTag } from 'yaml';
import { isExactNumber } from '../exact-number.ts';
import { type Json, ModuleError } from './module.ts';

/** Most documents that an engine may print. */
export const MAX_DOCUMENTS = 256;
/** Deepest nesting of what an engine prints. */
export const MAX_DOCUMENT_DEPTH = 64;
/** Most aliases that are followed. */
const MAX_ALIASES = 100;

/**
 * What readers of YAML 1.1 know, but Kubernetes leaves as it is: its reader takes dates, `1:30` and the like for strings.
 * https://github.com/kubernetes-sigs/yaml/blob/v1.6.0/goyaml.v2/resolve.go
 */
const unknownTags = new Set(['tag:yaml.org,2002:timestamp', 'tag:yaml.org,2002:binary', 'tag:yaml.org,2002:set']);
const unknownFormats = new Set(['TIME']);

/** A document of a claim: a Kubernetes object. */
export type KubernetesObject = { [key: string]: Json };

/**
 * Reads YAML that an engine printed, as Kubernetes would: by YAML 1.1, so that `mode: 0644` is the number 420.
 * @param engine names it in errors.
 * @throws {ModuleError} `render`
 */
export function readYaml(text: string, engine: string): Json[] {
  const documents = parsed(text, engine);
  if (documents.length > MAX_DOCUMENTS) throw refused(`${engine} makes more than ${MAX_DOCUMENTS} documents`);
  return documents.map((document, index) => {
    const name = `${engine}: document ${index + 1}`;
    const [problem] = document.errors;
    if (problem !== undefined) throw refused(`${name} is not YAML: ${problem.message}`, problem);
    return toJson(plainValue(document, name), name, 0);
  });
}

/**
 * Reads JSON that an engine printed, which is one document.
 * @throws {ModuleError} `render`
 */
export function readJson(text: string, engine: string): Json[] {
  try {
    return [toJson(JSON.parse(text), `${engine}: its document`, 0)];
  } catch (error) {
    if (error instanceof ModuleError) throw error;
    throw refused(`${engine} printed something that is not JSON`, error);
  }
}

/** @throws {ModuleError} `render` unless the value is an object with `apiVersion` and `kind`. */
export function kubernetesObject(value: Json, name: string): KubernetesObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refused(`${name} is not an object`);
  for (const field of ['apiVersion', 'kind']) {
    const found = Object.hasOwn(value, field) ? value[field] : undefined;
    if (typeof found !== 'string' || found === '') throw refused(`${name} has no ${field}`);
  }
  return value;
}

function parsed(text: string, engine: string) {
  try {
    const documents = parseAllDocuments(text, {
      version: '1.1',
      schema: 'yaml-1.1',
      customTags: (tags) => tags.filter((tag) => typeof tag === 'string' || isKnown(tag)),
      intAsBigInt: true,
      logLevel: 'silent',
      prettyErrors: true,
    });
    return 'empty' in documents ? [] : documents;
  } catch (error) {
    throw refused(`${engine} printed something that is not YAML`, error);
  }
}

function isKnown({ tag, ...more }: ScalarTag | CollectionTag): boolean {
  return !unknownTags.has(tag) && !('format' in more && unknownFormats.has(more.format ?? ''));
}

function plainValue(document: ReturnType<typeof parsed>[number], name: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    const why = error instanceof Error ? error.message : 'cannot be read';
    throw refused(`${name}: ${why}`, error);
  }
}

function toJson(value: unknown, name: string, depth: number): Json {
  if (depth > MAX_DOCUMENT_DEPTH) throw refused(`${name} is nested deeper than ${MAX_DOCUMENT_DEPTH}`);
  switch (typeof value) {
    case 'string':
      if (value.isWellFormed()) return value;
      throw refused(`${name} has half of a surrogate pair, which is not Unicode text`);
    case 'boolean':
      return value;
    case 'bigint':
    case 'number':
      if (isExactNumber(Number(value))) return Number(value);
      throw refused(`${name} has the number ${value}, which not every reader takes for the same`);
    default:
      return value === null ? null : collection(value, name, depth);
  }
}

function collection(value: unknown, name: string, depth: number): Json {
  if (Array.isArray(value)) return value.map((item) => toJson(item, name, depth + 1));
  if (typeof value !== 'object' || value === null) throw refused(`${name} has a value that JSON does not know`);
  // No prototype, so that a key like `__proto__` is a key.
  const members: { [key: string]: Json } = Object.create(null);
  for (const [key, member] of Object.entries(value)) members[key] = toJson(member, name, depth + 1);
  return members;
}

function refused(message: string, cause?: unknown): ModuleError {
  return new ModuleError('render', message, { cause });
}
