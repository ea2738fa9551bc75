import type { Message } from '../messages/message.ts';
import { genericEvent } from './codehost-generic.ts';
import { codehostMappings } from './codehost-mappings.ts';
import { originOf } from './codehost-origin.ts';
import { type JsonObject, textAt } from './json-object.ts';
import { systemLabel } from './system-label.ts';
import { timestampOr } from './timestamp.ts';

/**
 * The message that one event of a code host stands for, but for its payload. Specification "POST /pitch/codehost".
 * An event that lacks what its own mapping needs has the generic one: no webhook is lost for a missing field.
 */
export function codehostMessage(type: string, payload: JsonObject, now: number): Omit<Message, 'payload'> {
  const origin = originOf(payload);
  const event = codehostMappings.get(type)?.(payload, origin) ?? genericEvent(type, payload, origin);
  return {
    title: event.title,
    message: event.message ?? bySender(payload) ?? '',
    severity: event.severity,
    timestamp: timestampOr(event.timestamp, now),
    system: systemLabel(origin.place ?? 'codehost'),
    url: event.url ?? '',
    tags: [type, textAt(payload, 'action'), ...event.tags].filter((tag) => tag !== undefined).join(','),
    source: 'codehost',
    name: type,
    repository: origin.repository ?? '',
  };
}

/** Who did it is worth telling where there is nothing else to tell. */
function bySender(payload: JsonObject): string | undefined {
  const sender = textAt(payload, 'sender', 'login');
  return sender && `by ${sender}`;
}
