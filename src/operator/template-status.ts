import { problemText } from '../catalog/check-template.ts';
import type { ClaimTemplateStatus, conditionTypes } from '../catalog/claim-template-status.ts';
import type { ParsedTemplate } from '../catalog/parse-template.ts';
import type { ModuleError } from '../modules/module.ts';
import { sanitise } from './sanitise.ts';

export type Condition = NonNullable<ClaimTemplateStatus['conditions']>[number];
type ConditionType = (typeof conditionTypes)[number];

/** What came of looking for a template's module. */
export type ModuleFinding =
  | { found: 'digest'; digest: string }
  | { found: 'failure'; reason: ModuleError['reason']; message: string }
  /** It could not be told whether there is one. */
  | { found: 'unknown'; message: string }
  | { found: 'not tried' };

export interface TemplateFindings {
  parsed: ParsedTemplate;
  /** Why the template's name is not its own, if it is not. */
  conflict: string | undefined;
  module: ModuleFinding;
  /** The conditions until now. */
  previous: readonly Condition[];
  /** Of the template that all this was found out about. */
  generation: number;
  /** Milliseconds since the epoch. */
  now: number;
}

type Verdict = Pick<Condition, 'status' | 'reason' | 'message'>;

const moduleReasons = {
  unavailable: 'ModuleUnavailable',
  invalid: 'ModuleInvalid',
  untrusted: 'SignatureInvalid',
  engine: 'EngineUnavailable',
  render: 'RenderFailed',
} as const satisfies Record<ModuleError['reason'], string>;

/** The status of a template by what was found out about it. The time of a transition changes only when a status does. */
export function templateStatus(findings: TemplateFindings): ClaimTemplateStatus {
  const { parsed, module, generation } = findings;
  const accepted = acceptedVerdict(findings);
  const resolved = accepted.status === 'True' ? moduleVerdict(module) : pending('the template is not accepted');
  const ready = [accepted, resolved].find(({ status }) => status !== 'True');
  const verdicts: [ConditionType, Verdict][] = [
    ['Accepted', accepted],
    ['ModuleResolved', resolved],
    ['Ready', ready ?? { status: 'True', reason: 'Ready', message: 'the template can be ordered' }],
  ];
  return {
    observedGeneration: generation,
    conditions: verdicts.map(([type, verdict]) => conditionOf(type, verdict, findings)),
    ...(resolved.status === 'True' && module.found === 'digest' && { module: { digest: module.digest } }),
    ...('template' in parsed && { parameters: parsed.template.spec.parameters.length }),
  };
}

function acceptedVerdict({ parsed, conflict }: TemplateFindings): Verdict {
  if ('problems' in parsed) {
    const message = parsed.problems.map(problemText).join('; ');
    return { status: 'False', reason: 'InvalidTemplate', message };
  }
  if (conflict !== undefined) return { status: 'False', reason: 'NameConflict', message: conflict };
  return { status: 'True', reason: 'Accepted', message: 'the template is valid' };
}

function moduleVerdict(module: ModuleFinding): Verdict {
  switch (module.found) {
    case 'digest':
      return { status: 'True', reason: 'Resolved', message: `the module is ${module.digest}` };
    case 'failure':
      return { status: 'False', reason: moduleReasons[module.reason], message: module.message };
    case 'unknown':
      return { status: 'Unknown', reason: 'Unknown', message: module.message };
    case 'not tried':
      return pending('the module was not looked for yet');
  }
}

function pending(message: string): Verdict {
  return { status: 'Unknown', reason: 'Pending', message };
}

function conditionOf(
  type: ConditionType,
  verdict: Verdict,
  { previous, generation, now }: TemplateFindings,
): Condition {
  const before = previous.find((condition) => condition.type === type);
  const isSame = before?.status === verdict.status;
  return {
    type,
    status: verdict.status,
    observedGeneration: generation,
    lastTransitionTime: isSame ? before.lastTransitionTime : timestamp(now),
    reason: verdict.reason,
    message: sanitise(verdict.message),
  };
}

/** As Kubernetes writes times: without fractions. */
function timestamp(now: number): string {
  return new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
}
