import { parseReference } from '../modules/reference.ts';
import { reasonOf } from '../reason-of.ts';
import type { ClaimTemplateManifest, Parameter } from './claim-template.ts';
import { compileParameter } from './parameter-check.ts';

/** Something wrong with a template: where (`spec.parameters[0].default`) and what. */
export interface TemplateProblem {
  path: string;
  reason: string;
}

/** A problem as one line. */
export function problemText({ path, reason }: TemplateProblem): string {
  return `${path}: ${reason}`;
}

/** What a schema cannot say about a template: every rule that ties two fields together. Returns all problems. */
export function checkTemplate({ spec }: ClaimTemplateManifest): TemplateProblem[] {
  const { parameters = [] } = spec;
  return [
    ...checkSource(spec),
    ...checkNames(parameters),
    ...parameters.flatMap((parameter, i) => checkParameter(parameter, i)),
  ];
}

function checkSource({ source, tag }: ClaimTemplateManifest['spec']): TemplateProblem[] {
  try {
    parseReference({ source, ...(tag !== undefined && { tag }) });
    return [];
  } catch (error) {
    return [{ path: 'spec.source', reason: reasonOf(error) }];
  }
}

function checkNames(parameters: readonly Parameter[]): TemplateProblem[] {
  const seen = new Set<string>();
  return parameters.flatMap(({ name }, i) => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [{ path: `spec.parameters[${i}].name`, reason: `${name} is taken by another parameter` }];
  });
}

function checkParameter(parameter: Parameter, index: number): TemplateProblem[] {
  const problems = [...checkFields(parameter), ...checkDefault(parameter)];
  return problems.map(([field, reason]) => ({ path: `spec.parameters[${index}].${field}`, reason }));
}

type FieldProblem = [field: string, reason: string];

const stringFields = ['enum', 'pattern', 'minLength', 'maxLength'] as const;

function checkFields(parameter: Parameter): FieldProblem[] {
  const { type, minLength = 0, maxLength = Infinity, required, hidden } = parameter;
  const problems: FieldProblem[] = [];
  for (const field of stringFields) {
    if (parameter[field] !== undefined && type !== 'string') problems.push([field, 'is for strings only']);
  }
  if (parameter.items !== undefined && type !== 'array') problems.push(['items', 'is for arrays only']);
  if (minLength > maxLength) problems.push(['minLength', 'is larger than maxLength']);
  if (parameter.allowRandom && parameter.enum === undefined) problems.push(['allowRandom', 'needs an enum']);
  if (required && hidden && parameter.default === undefined) {
    problems.push(['default', 'is needed: the parameter is required, but hidden from callers']);
  }
  return problems;
}

/** The default and every enum value must pass the parameter's own rules. */
function checkDefault(parameter: Parameter): FieldProblem[] {
  let check: ReturnType<typeof compileParameter>;
  try {
    check = compileParameter(parameter);
  } catch (error) {
    return [['pattern', reasonOf(error)]];
  }
  const problems: FieldProblem[] = [];
  if (parameter.default !== undefined && parameter.default !== null) {
    problems.push(...check(parameter.default).map((reason): FieldProblem => ['default', reason]));
  }
  if (parameter.type === 'string') {
    for (const [i, value] of (parameter.enum ?? []).entries()) {
      problems.push(...check(value).map((reason): FieldProblem => [`enum[${i}]`, reason]));
    }
  }
  return problems;
}
