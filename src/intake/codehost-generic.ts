import { branchOf, type CodehostEvent } from './codehost-event.ts';
import type { Origin } from './codehost-origin.ts';
import { at, isJsonObject, type JsonObject, lineAt, textAt } from './json-object.ts';

/** Where events keep what they are about when it is not under their own name, the most telling first. */
const subjectKeys = ['comment', 'review', 'alert', 'issue', 'pull_request', 'discussion', 'release'];

/** What can be said of an event of any type, even one that its code host has yet to invent. */
export function genericEvent(type: string, payload: JsonObject, { place }: Origin): CodehostEvent {
  const action = textAt(payload, 'action');
  const subject = [type, ...subjectKeys].map((key) => at(payload, key)).find(isJsonObject);
  return {
    title: [type, action, place && `on ${place}`].filter((part) => part !== undefined).join(' '),
    severity: 'info',
    message: describe(subject) ?? textAt(payload, 'description'),
    url: textAt(subject, 'html_url') ?? textAt(payload, 'repository', 'html_url'),
    timestamp: at(subject, 'updated_at') ?? at(subject, 'created_at'),
    tags: [branchOf(payload) ?? textAt(subject, 'head_branch')],
  };
}

function describe(subject: JsonObject | undefined): string | undefined {
  return ['title', 'name', 'body', 'description'].map((key) => lineAt(subject, key)).find((line) => line !== undefined);
}
