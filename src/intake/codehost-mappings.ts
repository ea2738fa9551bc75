import type { Severity } from '../messages/message.ts';
import { branchOf, type CodehostEvent } from './codehost-event.ts';
import type { Origin } from './codehost-origin.ts';
import { at, type JsonObject, lineAt, textAt } from './json-object.ts';

/** Reads one type of event; undefined if the payload lacks what the title is made of. */
type Mapping = (payload: JsonObject, origin: Origin) => CodehostEvent | undefined;

/** Specification "POST /pitch/codehost", event mapping: the types with a title and severity of their own. */
export const codehostMappings: ReadonlyMap<string, Mapping> = new Map([
  ['push', push],
  ['pull_request', pullRequest],
  ['issues', issue],
  ['release', release],
  ['workflow_run', workflowRun],
]);

function push(payload: JsonObject, { repository }: Origin): CodehostEvent | undefined {
  const branch = branchOf(payload);
  if (repository === undefined || branch === undefined) return undefined;
  return {
    title: `Push to ${repository}:${branch}`,
    severity: 'info',
    message: textAt(payload, 'head_commit', 'message'),
    url: textAt(payload, 'compare') ?? textAt(payload, 'compare_url') ?? textAt(payload, 'head_commit', 'url'),
    timestamp: at(payload, 'head_commit', 'timestamp'),
    tags: [branch],
  };
}

function pullRequest(payload: JsonObject): CodehostEvent | undefined {
  const event = numbered(payload, 'pull_request', 'PR');
  if (event === undefined) return undefined;
  const merged = payload.action === 'closed' && at(payload, 'pull_request', 'merged') === true;
  const branch = textAt(payload, 'pull_request', 'head', 'ref');
  return { ...event, severity: merged ? 'success' : 'info', tags: [branch, merged ? 'merged' : undefined] };
}

function issue(payload: JsonObject): CodehostEvent | undefined {
  return numbered(payload, 'issue', 'Issue');
}

/** `<kind> #<number> <action>: <title>` */
function numbered(payload: JsonObject, key: string, kind: string): CodehostEvent | undefined {
  const action = textAt(payload, 'action');
  const number = at(payload, key, 'number') ?? payload.number;
  const title = textAt(payload, key, 'title');
  if (action === undefined || typeof number !== 'number' || title === undefined) return undefined;
  return {
    title: `${kind} #${number} ${action}: ${title}`,
    severity: 'info',
    message: lineAt(payload, key, 'body') ?? title,
    url: textAt(payload, key, 'html_url'),
    timestamp: at(payload, key, 'updated_at'),
    tags: [],
  };
}

function release(payload: JsonObject): CodehostEvent | undefined {
  const action = textAt(payload, 'action');
  const tag = textAt(payload, 'release', 'tag_name');
  if (action === undefined || tag === undefined) return undefined;
  return {
    title: `Release ${action}: ${tag}`,
    severity: 'success',
    message: textAt(payload, 'release', 'name') ?? lineAt(payload, 'release', 'body') ?? tag,
    url: textAt(payload, 'release', 'html_url'),
    timestamp: at(payload, 'release', 'published_at') ?? at(payload, 'release', 'created_at'),
    tags: [tag],
  };
}

function workflowRun(payload: JsonObject): CodehostEvent | undefined {
  const action = textAt(payload, 'action');
  const name = textAt(payload, 'workflow_run', 'name') ?? textAt(payload, 'workflow', 'name');
  if (action === undefined || name === undefined) return undefined;
  const conclusion = textAt(payload, 'workflow_run', 'conclusion');
  const outcome = conclusion ?? textAt(payload, 'workflow_run', 'status');
  const cause =
    textAt(payload, 'workflow_run', 'display_title') ?? lineAt(payload, 'workflow_run', 'head_commit', 'message');
  return {
    title: `${name}: ${action}`,
    severity: conclusionSeverity(conclusion),
    message: [outcome, cause].filter((part) => part !== undefined).join(': '),
    url: textAt(payload, 'workflow_run', 'html_url'),
    timestamp: at(payload, 'workflow_run', 'updated_at'),
    tags: [textAt(payload, 'workflow_run', 'head_branch'), conclusion],
  };
}

/** A run that ended in any other way (cancelled, skipped, a conclusion yet to be invented) is worth a look. */
function conclusionSeverity(conclusion: string | undefined): Severity {
  switch (conclusion) {
    case undefined:
      return 'info';
    case 'success':
      return 'success';
    case 'failure':
    case 'timed_out':
    case 'startup_failure':
      return 'critical';
    default:
      return 'warning';
  }
}
