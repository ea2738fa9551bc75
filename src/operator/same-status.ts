import { isDeepStrictEqual } from 'node:util';
import { type ClaimTemplateStatus, conditionTypes } from '../catalog/claim-template-status.ts';

/** Whether two statuses say the same, whatever else is in them: fields and conditions that are not ours, and their order. */
export function sameStatus(a: ClaimTemplateStatus, b: ClaimTemplateStatus): boolean {
  return isDeepStrictEqual(said(a), said(b));
}

function said({ observedGeneration, conditions = [], module, parameters }: ClaimTemplateStatus) {
  return {
    observedGeneration,
    conditions: conditionTypes.map((wanted) => {
      const found = conditions.find(({ type }) => type === wanted);
      if (found === undefined) return undefined;
      const { status, observedGeneration: about, lastTransitionTime, reason, message } = found;
      return { status, about, at: Date.parse(lastTransitionTime), reason, message };
    }),
    digest: module?.digest,
    parameters,
  };
}
