import { readFile } from 'node:fs/promises';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

const writes = ['create', 'update', 'patch'];

/** A group of users of whom every call is written down. */
export const auditedGroup = 'audited';

/** What the API server writes down: who wrote leases, statuses of templates and events, when, and with what. */
export const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [
    { level: 'Request', verbs: writes, resources: [{ group: 'coordination.k8s.io', resources: ['leases'] }] },
    { level: 'Request', verbs: writes, resources: [{ group: 'frontdesk.dev' }, { group: 'events.k8s.io' }] },
    { level: 'Metadata', userGroups: [auditedGroup] },
    { level: 'None' },
  ],
};

const AuditedCall = Type.Object({
  verb: Type.String(),
  user: Type.Object({ username: Type.String() }),
  objectRef: Type.Object({
    resource: Type.String(),
    name: Type.Optional(Type.String()),
    subresource: Type.Optional(Type.String()),
  }),
  responseStatus: Type.Object({ code: Type.Integer() }),
  requestObject: Type.Optional(Type.Unknown()),
  requestReceivedTimestamp: Type.String(),
  stageTimestamp: Type.String(),
});

/** A call that the API server answered. */
export interface ApiCallRecord {
  verb: string;
  user: string;
  /** With the subresource, if any: `leases`, `claimtemplates/status`. */
  resource: string;
  name: string | undefined;
  code: number;
  body: unknown;
  /** In microseconds since the epoch, by the clock of the API server. */
  received: number;
  answered: number;
}

/** All audited calls, in the order in which they were received. */
export async function readAuditLog(path: string): Promise<ApiCallRecord[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map(recordOf).sort((a, b) => a.received - b.received);
}

function recordOf(line: string): ApiCallRecord {
  const { verb, user, objectRef, responseStatus, ...rest } = Value.Parse(AuditedCall, JSON.parse(line));
  const { resource, subresource, name } = objectRef;
  return {
    verb,
    user: user.username,
    resource: subresource === undefined ? resource : `${resource}/${subresource}`,
    name,
    code: responseStatus.code,
    body: rest.requestObject,
    received: microseconds(rest.requestReceivedTimestamp),
    answered: microseconds(rest.stageTimestamp),
  };
}

/** Of a time as `2026-11-21T16:46:22.123456Z`. */
function microseconds(time: string): number {
  const fraction = /\.(\d+)Z$/.exec(time)?.[1] ?? '';
  return Date.parse(time.replace(/\.\d+Z$/, 'Z')) * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6));
}
