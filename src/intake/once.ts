import { type SchemaOptions, Type } from '@sinclair/typebox';
import type { NewMessage } from '../messages/message-store.ts';

/** How long a sender's key makes the same request return the first answer: senders retry for hours, not days. */
export const ONCE_TTL_MS = 24 * 3_600_000;

/** A key by which a sender marks a request as the same one sent again: 1 to 255 visible ASCII characters. */
export const OnceKey = (options: SchemaOptions) => Type.String({ ...options, pattern: '^[\\x21-\\x7e]{1,255}$' });

/** What makes the store take the message under `key` once. Each kind of sender has keys of its own. */
export function once(sender: 'pitch' | 'codehost', key: string): Required<NewMessage>['once'] {
  return { key: `${sender}:${key}`, ttlMs: ONCE_TTL_MS };
}
