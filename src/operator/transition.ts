import type { ClaimTemplateStatus } from '../catalog/claim-template-status.ts';
import type { Condition } from './template-status.ts';

/** What an event tells of a change. */
export interface Transition {
  type: 'Normal' | 'Warning';
  reason: string;
  message: string;
}

/**
 * The one thing to tell about a change of status, if Accepted or Ready changed: that it is not accepted any more, else
 * whether it is ready, else that it is accepted.
 */
export function transitionOf(before: ClaimTemplateStatus, after: ClaimTemplateStatus): Transition | undefined {
  const accepted = changed('Accepted', before, after);
  const ready = changed('Ready', before, after);
  const told = accepted?.status === 'False' ? accepted : (ready ?? accepted);
  if (told === undefined) return undefined;
  return { type: told.status === 'True' ? 'Normal' : 'Warning', reason: told.reason, message: told.message };
}

function changed(
  type: 'Accepted' | 'Ready',
  before: ClaimTemplateStatus,
  after: ClaimTemplateStatus,
): Condition | undefined {
  const [was, is] = [before, after].map(({ conditions = [] }) => conditions.find((one) => one.type === type));
  return was?.status === is?.status ? undefined : is;
}
