import type { Severity } from '../messages/message.ts';
import type { JsonObject } from './json-object.ts';
import { textAt } from './json-object.ts';

/** What one code-host event says. Undefined is what its payload does not tell. */
export interface CodehostEvent {
  title: string;
  severity: Severity;
  message: string | undefined;
  url: string | undefined;
  /** As found in the payload; not yet known to be a date. */
  timestamp: unknown;
  /** What else to find it by, beside the event's type and action. */
  tags: readonly (string | undefined)[];
}

/** Name of the branch or tag that the payload's `ref` stands for. */
export function branchOf(payload: JsonObject): string | undefined {
  return textAt(payload, 'ref')?.replace(/^refs\/(?:heads|tags)\//, '');
}
