import { TypeCompiler } from '@sinclair/typebox/compiler';
import { checkTemplate, type TemplateProblem } from './check-template.ts';
import { apiVersion, type ClaimTemplate, ClaimTemplateManifest } from './claim-template.ts';

const manifest = TypeCompiler.Compile(ClaimTemplateManifest);

/** Most problems that are told of one template. */
const MAX_PROBLEMS = 50;

export type ParsedTemplate = { template: ClaimTemplate } | { problems: TemplateProblem[] };

/**
 * Reads a ClaimTemplate from a parsed document: its schema first, then the stages of `checkTemplate`, and then into the
 * form in which the API serves it. Returns all problems of the first of these that finds some.
 */
export function parseTemplate(document: unknown): ParsedTemplate {
  if (!manifest.Check(document)) return { problems: schemaProblems(document) };
  const problems = checkTemplate(document);
  return problems.length > 0 ? { problems: problems.slice(0, MAX_PROBLEMS) } : { template: normalise(document) };
}

function normalise({ metadata, spec }: ClaimTemplateManifest): ClaimTemplate {
  const { type, source, tag, parameters = [] } = spec;
  const title = spec.title ?? metadata.title;
  const description = spec.description ?? metadata.description;
  const tags = spec.tags ?? metadata.tags;
  return {
    apiVersion,
    kind: 'ClaimTemplate',
    metadata: {
      name: metadata.name,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(tags !== undefined && { tags }),
      ...(metadata.labels !== undefined && { labels: metadata.labels }),
    },
    spec: { type, source, ...(tag !== undefined && { tag }), parameters },
  };
}

function schemaProblems(document: unknown): TemplateProblem[] {
  const problems = new Map<string, string>();
  for (const { path, message, schema } of manifest.Errors(document)) {
    const where =
      path
        .slice(1)
        .replace(/\/(\d+)/g, '[$1]')
        .replaceAll('/', '.') || 'document';
    const reason = Array.isArray(schema.enum) ? `must be one of ${schema.enum.join(', ')}` : lowerFirst(message);
    if (!problems.has(where)) problems.set(where, reason);
    if (problems.size === MAX_PROBLEMS) break;
  }
  return [...problems].map(([path, reason]) => ({ path, reason }));
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
