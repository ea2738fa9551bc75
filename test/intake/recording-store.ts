import type { AppendResult, MessageStore, NewMessage } from '../../src/messages/message-store.ts';

/** A store that keeps what it is given for the test to read, and fails what the test wants to fail. */
export interface RecordingStore extends MessageStore {
  readonly messages: NewMessage[];
  /** Sizes of the appends, in order. */
  readonly appends: number[];
}

/** Remembers `once` keys without end; `refuses` gives the reason why a message is not stored, if there is one. */
export function recordingStore(refuses: (message: NewMessage) => string | undefined = () => undefined): RecordingStore {
  const messages: NewMessage[] = [];
  const appends: number[] = [];
  const idByKey = new Map<string, string>();

  function appendOne(message: NewMessage): AppendResult {
    const reason = refuses(message);
    if (reason !== undefined) return { ok: false, reason };
    const known = message.once && idByKey.get(message.once.key);
    if (known !== undefined) return { ok: true, id: known, duplicate: true };
    messages.push(message);
    const id = `1700000000000-${messages.length}`;
    if (message.once !== undefined) idByKey.set(message.once.key, id);
    return { ok: true, id, duplicate: false };
  }

  return {
    messages,
    appends,
    stream: 'messages',
    maxWindowMs: 0,
    append: async (batch) => {
      appends.push(batch.length);
      return batch.map(appendOne);
    },
    counts: async () => [],
    size: async () => ({ length: messages.length, oldest: undefined, bytes: 0 }),
    searchUp: () => undefined,
    status: async () => ({ ready: true, details: {} }),
    close: async () => undefined,
  };
}
