import type { NewMessage } from './message-store.ts';

/** What a waiting message takes beside its payload, in characters, so that small ones are bounded too. */
const MESSAGE_OVERHEAD = 1024;

/** How much may wait for a store, in characters; messages beyond are refused. Options of a group commit. */
export const waitingMessages = {
  size: ({ payload }: NewMessage) => payload.length + MESSAGE_OVERHEAD,
  maxQueued: 67_108_864,
};
