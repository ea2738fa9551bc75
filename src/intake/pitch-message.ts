import { type Static, Type } from '@sinclair/typebox';
import { AnyObject } from '../any-object.ts';
import { type Message, parseSeverity } from '../messages/message.ts';
import { text } from './json-object.ts';
import { systemLabel } from './system-label.ts';
import { timestampOr } from './timestamp.ts';

/** Code points of a label; the same as the store's label of a system. */
const MAX_LABEL = 256;

/** Specification "Message": the body of `POST /pitch`. An unknown field is refused, so that nothing sent is dropped. */
export const Pitch = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: MAX_LABEL, description: 'Label of the message.' }),
    repository: Type.Optional(Type.String({ maxLength: MAX_LABEL, description: 'Repository label.' })),
    payload: AnyObject(
      'Free-form content, kept whole. Of its fields `title`, `message`, `severity`, `timestamp`, `system`, `url` and ' +
        '`tags` (a string, or an array of strings) fill the message record.',
    ),
  },
  { additionalProperties: false },
);
export type Pitch = Static<typeof Pitch>;

/** The message that a pitch stands for. A field of the payload that is not of its kind counts as not given. */
export function pitchMessage({ name, repository = '', payload }: Pitch, now: number): Message {
  const json = JSON.stringify(payload);
  return {
    title: text(payload.title) ?? name,
    message: text(payload.message) ?? json,
    severity: parseSeverity(payload.severity) ?? 'info',
    timestamp: timestampOr(payload.timestamp, now),
    system: systemLabel(text(payload.system) ?? text(repository) ?? name),
    url: text(payload.url) ?? '',
    tags: tagList(payload.tags),
    source: 'pitch',
    name,
    repository,
    payload: json,
  };
}

function tagList(tags: unknown): string {
  if (!Array.isArray(tags)) return text(tags) ?? '';
  return tags.filter((tag) => text(tag) !== undefined).join(',');
}
