import { type Document, parseAllDocuments } from 'yaml';
import { reasonOf } from '../reason-of.ts';
import type { CatalogSnapshot, LoadedTemplate, RejectedTemplate } from './catalog.ts';
import { type ParsedTemplate, parseTemplate } from './parse-template.ts';

/** Aliases that one document may expand, against "billion laughs". */
const MAX_ALIASES = 100;
/** Templates in one file. */
const MAX_DOCUMENTS = 1000;

/** Reads the ClaimTemplates of one YAML or JSON file; `origin` names the file to people. Never throws. */
export function parseTemplateFile(text: string, origin: string): CatalogSnapshot {
  const documents = parseAllDocuments(text, { logLevel: 'silent' });
  if (documents.length > MAX_DOCUMENTS) return rejectedFile(origin, `holds more than ${MAX_DOCUMENTS} documents`);

  const templates: LoadedTemplate[] = [];
  const rejected: RejectedTemplate[] = [];
  for (const document of documents) {
    const parsed = parseDocument(document);
    if (parsed === undefined) continue;
    if ('template' in parsed) templates.push({ template: parsed.template, origin });
    else rejected.push({ origin, problems: parsed.problems });
  }
  return { templates, rejected };
}

/** @returns undefined for an empty document. */
function parseDocument(document: Document.Parsed): ParsedTemplate | undefined {
  const [error] = document.errors;
  if (error !== undefined) return notYaml(error.message.split('\n', 1)[0] ?? 'is not YAML');
  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    return value === null ? undefined : parseTemplate(value);
  } catch (cause) {
    return notYaml(reasonOf(cause));
  }
}

function notYaml(reason: string): ParsedTemplate {
  return { problems: [{ path: 'yaml', reason }] };
}

/** What a file is that cannot be read at all. */
export function rejectedFile(origin: string, reason: string): CatalogSnapshot {
  return { templates: [], rejected: [{ origin, problems: [{ path: 'file', reason }] }] };
}
