import { type Static, Type } from '@sinclair/typebox';
import { Problem } from '../http/problem.ts';
import { OnceKey } from './once.ts';

const EventType = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_.-]{0,99}$', description }));
const Delivery = (description: string) => Type.Optional(OnceKey({ description }));
const Signature = (description: string) => Type.Optional(Type.String({ description }));

/** What a code host says about its webhook in headers: ours first, then the names that GitHub and Gitea have for it. */
export const CodehostHeaders = Type.Object({
  'x-codehost-event': EventType('Event type.'),
  'x-github-event': EventType('Alias of X-CodeHost-Event.'),
  'x-gitea-event': EventType('Alias of X-CodeHost-Event.'),
  'x-codehost-delivery': Delivery('The same id within 24 h returns the first answer again and enqueues nothing.'),
  'x-github-delivery': Delivery('Alias of X-CodeHost-Delivery.'),
  'x-gitea-delivery': Delivery('Alias of X-CodeHost-Delivery.'),
  'x-hub-signature-256': Signature('`sha256=` and the hex HMAC-SHA256 of the body.'),
  'x-codehost-signature-256': Signature('Alias of X-Hub-Signature-256.'),
});
export type CodehostHeaders = Static<typeof CodehostHeaders>;

/** @throws {Problem} `INVALID_REQUEST` that names the header if it is missing. */
export function eventType(headers: CodehostHeaders): string {
  const type = headers['x-codehost-event'] ?? headers['x-github-event'] ?? headers['x-gitea-event'];
  if (type === undefined) throw new Problem('INVALID_REQUEST', { message: 'Missing X-CodeHost-Event header' });
  return type;
}

export function deliveryId(headers: CodehostHeaders): string | undefined {
  return headers['x-codehost-delivery'] ?? headers['x-github-delivery'] ?? headers['x-gitea-delivery'];
}
