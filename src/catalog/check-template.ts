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

type Spec = ClaimTemplateManifest['spec'];
type Stage = (spec: Spec) => TemplateProblem[];

/** What a schema cannot say about a template: the rules that tie two fields together, stage by stage. */
const stages: readonly Stage[] = [
  sourceIsReference,
  namesAreUnique,
  fieldsSuitType,
  fieldsSuitEachOther,
  valuesKeepRules,
];

/** All problems of a template that keeps the schema. */
export function checkTemplate({ spec }: ClaimTemplateManifest): TemplateProblem[] {
  return stages.flatMap((stage) => stage(spec));
}

function sourceIsReference({ source, tag }: Spec): TemplateProblem[] {
  try {
    parseReference({ source, ...(tag !== undefined && { tag }) });
    return [];
  } catch (error) {
    return [{ path: 'spec.source', reason: reasonOf(error) }];
  }
}

function namesAreUnique({ parameters = [] }: Spec): TemplateProblem[] {
  const seen = new Set<string>();
  return problemsOf(parameters, ({ name }) => {
    if (seen.has(name)) return [['name', `${name} is taken by another parameter`]];
    seen.add(name);
    return [];
  });
}

const stringFields = ['enum', 'pattern', 'minLength', 'maxLength'] as const;

function fieldsSuitType({ parameters = [] }: Spec): TemplateProblem[] {
  return problemsOf(parameters, (parameter) => {
    const { type, items } = parameter;
    const misplaced = type === 'string' ? [] : stringFields.filter((field) => parameter[field] !== undefined);
    const problems = misplaced.map((field): FieldProblem => [field, 'is for strings only']);
    if (items !== undefined && type !== 'array') problems.push(['items', 'is for arrays only']);
    return problems;
  });
}

function fieldsSuitEachOther({ parameters = [] }: Spec): TemplateProblem[] {
  return problemsOf(parameters, (parameter) => {
    const { minLength = 0, maxLength = Infinity, required, hidden } = parameter;
    const problems: FieldProblem[] = [];
    if (minLength > maxLength) problems.push(['minLength', 'is larger than maxLength']);
    if (parameter.allowRandom && parameter.enum === undefined) problems.push(['allowRandom', 'needs an enum']);
    if (required && hidden && parameter.default === undefined) {
      problems.push(['default', 'is needed: the parameter is required, but hidden from callers']);
    }
    return problems;
  });
}

/** The default and every enum value must pass the parameter's own rules. */
function valuesKeepRules({ parameters = [] }: Spec): TemplateProblem[] {
  return problemsOf(parameters, (parameter) => {
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
  });
}

type FieldProblem = [field: string, reason: string];

function problemsOf(
  parameters: readonly Parameter[],
  check: (parameter: Parameter) => FieldProblem[],
): TemplateProblem[] {
  return parameters.flatMap((parameter, i) =>
    check(parameter).map(([field, reason]) => ({ path: `spec.parameters[${i}].${field}`, reason })),
  );
}
