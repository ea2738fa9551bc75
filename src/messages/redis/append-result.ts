import type { AppendResult } from '../message-store.ts';

/** The result of a message, by the server's answer: its id, or its id and whether that is of an earlier one. */
export function stored(answer: unknown): AppendResult {
  const [id, duplicate] = Array.isArray(answer) ? answer : [answer, 0];
  return { ok: true, id: String(id), duplicate: duplicate === 1 };
}

/** What the server refuses it has not stored; anything else that goes wrong may have happened after it did. */
export function failed(error: Error): AppendResult {
  if (error.name === 'ReplyError') return { ok: false, reason: error.message };
  if (isUnsent(error)) return { ok: false, reason: 'not connected to Redis' };
  const reason = isLoss(error) ? 'the connection to Redis was lost' : error.message;
  return { ok: false, reason: `${reason}, outcome unknown` };
}

/** Whether there was no connection to send it by. */
function isUnsent({ message }: Error): boolean {
  return message.endsWith('enableOfflineQueue options is false');
}

/** Whether the connection went before the answer came; ioredis tells of a limit of retries then. */
function isLoss({ name }: Error): boolean {
  return name === 'AbortError' || name === 'MaxRetriesPerRequestError';
}
