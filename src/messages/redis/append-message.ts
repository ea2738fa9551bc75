import type { ClientContext, RedisCommander, Result } from 'ioredis';
import { messageFields } from '../message.ts';
import type { NewMessage } from '../message-store.ts';
import { appendOnceScript } from './append-once-script.ts';
import type { RedisKeys } from './redis-keys.ts';

export interface AppendSettings {
  keys: RedisKeys;
  clock: () => number;
  /** What the stream is given as an id: `*` takes the server's clock. */
  entryId: () => string;
}

/** Appends `message` by `client`, or adds that to a pipeline; answered as `stored` expects it. */
export function appendMessage<C extends ClientContext>(
  client: RedisCommander<C>,
  message: NewMessage,
  { keys, clock, entryId }: AppendSettings,
): Result<unknown, C> {
  if (message.once === undefined) return client.xadd(keys.stream, entryId(), ...entryOf(message));
  const { key, ttlMs } = message.once;
  const now = clock();
  const times = [now, now + ttlMs, ttlMs];
  return client.eval(appendOnceScript, 2, keys.stream, keys.once(key), ...times, entryId(), ...entryOf(message));
}

function entryOf(message: NewMessage): string[] {
  const entry: string[] = [];
  for (const field of messageFields) entry.push(field, message[field]);
  return entry;
}
