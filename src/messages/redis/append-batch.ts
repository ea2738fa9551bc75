import { type ChainableCommander, Cluster } from 'ioredis';
import { messageFields } from '../message.ts';
import type { AppendResult, NewMessage } from '../message-store.ts';
import type { Acknowledgement } from './acknowledgement.ts';
import { appendOnceScript } from './append-once-script.ts';
import type { RedisClient } from './connect-redis.ts';
import type { RedisKeys } from './redis-keys.ts';

export interface AppendSettings {
  keys: RedisKeys;
  clock: () => number;
  /** What the stream is given as an id: `*` takes the server's clock. */
  entryId: () => string;
}

/**
 * Appends `messages` in one pipeline: one round trip, one result each, in order.
 * Never rejects: where the connection is lost under way, the outcome of what was sent is unknown.
 */
export async function appendBatch(
  client: RedisClient,
  messages: readonly NewMessage[],
  acknowledgement: Acknowledgement,
  settings: AppendSettings,
): Promise<AppendResult[]> {
  const batch = client.pipeline();
  for (const message of messages) add(batch, message, settings);
  acknowledgement.await(batch);
  const answers = (await batch.exec()) ?? [];
  followMove(client, answers);
  const shortfall = shortfallOf(acknowledgement, answers[messages.length]);
  return messages.map((_, i) => resultOf(answers[i], shortfall));
}

function add(batch: ChainableCommander, message: NewMessage, { keys, clock, entryId }: AppendSettings): void {
  if (message.once === undefined) {
    batch.xadd(keys.stream, entryId(), ...entryOf(message));
    return;
  }
  const { key, ttlMs } = message.once;
  const now = clock();
  const times = [now, now + ttlMs, ttlMs];
  batch.eval(appendOnceScript, 2, keys.stream, keys.once(key), ...times, entryId(), ...entryOf(message));
}

function entryOf(message: NewMessage): string[] {
  const entry: string[] = [];
  for (const field of messageFields) entry.push(field, message[field]);
  return entry;
}

/** ioredis looks where a stream has moved to only if every answer says that it has; the one to WAIT never does. */
export function followMove(client: RedisClient, answers: readonly Answer[]): void {
  if (!(client instanceof Cluster)) return;
  if (answers.some(([error]) => error?.message.startsWith('MOVED '))) client.refreshSlotsCache();
}

type Answer = [error: Error | null, value: unknown];

function shortfallOf(acknowledgement: Acknowledgement, answer: Answer | undefined): string | undefined {
  const [error, value] = answer ?? [null, undefined];
  return error ? error.message : acknowledgement.shortfall(value);
}

function resultOf(answer: Answer | undefined, shortfall: string | undefined): AppendResult {
  const [error, value] = answer ?? [new Error('no answer'), undefined];
  if (error) return failed(error);
  if (shortfall !== undefined) return { ok: false, reason: `${shortfall}, outcome unknown` };
  const [id, duplicate] = Array.isArray(value) ? value : [value, 0];
  return { ok: true, id: String(id), duplicate: duplicate === 1 };
}

/** What the server refuses it has not stored; anything else that goes wrong may have happened after it did. */
function failed(error: Error): AppendResult {
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
