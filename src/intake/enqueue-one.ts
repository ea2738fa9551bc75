import { Problem } from '../http/problem.ts';
import type { MessageStore, NewMessage } from '../messages/message-store.ts';
import { retryAfter } from './retry-after.ts';

/**
 * Appends one message.
 * @returns its stream entry id.
 * @throws {Problem} `STORE_UNAVAILABLE`; specification "POST /pitch", failure to enqueue.
 */
export async function enqueueOne(store: MessageStore, message: NewMessage): Promise<string> {
  const [result] = await store.append([message]);
  if (result?.ok === true) return result.id;
  const reason = result?.reason ?? 'no answer';
  throw new Problem('STORE_UNAVAILABLE', {
    message: `Failed to enqueue the message to the stream store: ${reason}`,
    headers: retryAfter,
  });
}
