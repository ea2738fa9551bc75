import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { LineCounter, parseDocument } from 'yaml';
import { apiVersion } from '../../catalog/claim-template.ts';
import { ModuleError } from '../module.ts';
import { isNestedTooDeep, MAX_NESTING } from '../yaml-nesting.ts';

/** The file in a module's folder that says what it renders. */
export const MODULE_FILE = 'module.yaml';
/** Largest `module.yaml`, in bytes. */
export const MAX_MODULE_FILE_BYTES = 262_144;
/** Most resources of a module, each of them one document. */
export const MAX_RESOURCES = 64;

const Resource = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z][A-Za-z0-9]*$', maxLength: 64, description: 'Unique; names it in messages.' }),
    includeWhen: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 16,
        description: 'CEL conditions; the resource is there if all are true.',
      }),
    ),
    template: Type.Object(
      {
        apiVersion: Type.String({ minLength: 1 }),
        kind: Type.String({ minLength: 1 }),
        metadata: Type.Object({}, { additionalProperties: true }),
      },
      { additionalProperties: true, description: 'A Kubernetes object; its strings may have `${…}` in them.' },
    ),
  },
  { additionalProperties: false },
);

/** `module.yaml`; its resources have the shape of those in kro's ResourceGraphDefinition. */
export const ModuleFile = Type.Object(
  {
    apiVersion: Type.Literal(apiVersion),
    kind: Type.Literal('Module'),
    metadata: Type.Object(
      {
        name: Type.String({ pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 }),
        version: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
      },
      { additionalProperties: false },
    ),
    spec: Type.Object(
      { resources: Type.Array(Resource, { minItems: 1, maxItems: MAX_RESOURCES }) },
      { additionalProperties: false },
    ),
  },
  { $id: 'Module', additionalProperties: false },
);
export type ModuleFile = Static<typeof ModuleFile>;

/** Keys and indexes from the top of the file. */
export type Path = readonly (string | number)[];

export interface ParsedModuleFile {
  content: ModuleFile;
  /** Where the value at `path` begins, or `part` of it where that stands there as it is. */
  positionOf(path: Path, part: string): Position | undefined;
}

/** Counted from 1. */
export interface Position {
  line: number;
  column: number;
}

/**
 * Reads `module.yaml`: YAML 1.2, one document, no anchors, aliases and custom tags.
 * @throws {ModuleError} `invalid`, naming the line or the field.
 */
export function parseModuleFile(bytes: Uint8Array): ParsedModuleFile {
  if (bytes.length > MAX_MODULE_FILE_BYTES) throw invalid(`has more than ${MAX_MODULE_FILE_BYTES} bytes`);
  const lines = new LineCounter();
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (isNestedTooDeep(text)) throw invalid(`is nested too deep: more than ${MAX_NESTING} levels`);
    const document = parseDocument(text, { version: '1.2', schema: 'core', lineCounter: lines });
    const [problem] = [...document.errors, ...document.warnings];
    if (problem !== undefined) throw problem;
    const content: unknown = document.toJS({ maxAliasCount: 0 });
    return {
      content: checked(content),
      positionOf: (path, part) => {
        const range = rangeOf(document.getIn(path, true));
        return range && positionIn(text, { ...range, part }, lines);
      },
    };
  } catch (error) {
    if (error instanceof ModuleError) throw error;
    throw invalid(error instanceof Error ? error.message : 'cannot be read', error);
  }
}

function checked(content: unknown): ModuleFile {
  if (!Value.Check(ModuleFile, content)) {
    const first = Value.Errors(ModuleFile, content).First();
    throw invalid(`is not valid: ${first?.path || '/'}: ${first?.message ?? 'unexpected'}`);
  }
  const ids = new Set<string>();
  for (const { id } of content.spec.resources) {
    if (ids.has(id)) throw invalid(`has the resource ${id} twice`);
    ids.add(id);
  }
  return content;
}

function rangeOf(node: unknown): { start: number; end: number } | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return undefined;
  const [start, end]: unknown[] = node.range;
  return typeof start === 'number' && typeof end === 'number' ? { start, end } : undefined;
}

/** Escapes and folded lines may hide the part; then it is where the value begins. */
function positionIn(
  text: string,
  { start, end, part }: { start: number; end: number; part: string },
  lines: LineCounter,
): Position {
  const offset = text.slice(start, end).indexOf(part);
  const { line, col } = lines.linePos(start + Math.max(offset, 0));
  return { line, column: col };
}

function invalid(message: string, cause?: unknown): ModuleError {
  return new ModuleError('invalid', `${MODULE_FILE} ${message}`, { cause });
}
