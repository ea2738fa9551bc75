import type { DependencyStatus } from '../http/ready.ts';
import type { Message, Severity } from './message.ts';

/** A message to append. With `once`, an equal key within `ttlMs` finds the first entry instead of making a second. */
export interface NewMessage extends Message {
  once?: { key: string; ttlMs: number };
}

/** What became of one message: its entry id, of the form `<milliseconds>-<sequence>`, or why it was not stored. */
export type AppendResult = { ok: true; id: string; duplicate: boolean } | { ok: false; reason: string };

/** How many messages of one system and severity were stored. */
export interface Count {
  system: string;
  severity: Severity | string;
  count: number;
}

/** How much is in a stream. */
export interface StreamSize {
  /** Entries. */
  length: number;
  /** When the oldest entry was made, in milliseconds since the epoch; undefined if there is none. */
  oldest: number | undefined;
  /** What it takes in the store. */
  bytes: number;
}

/** Counts cannot be told yet: there is more in the stream than could be counted in time. It is counted meanwhile. */
export class StillCountingError extends Error {
  constructor(progress: string) {
    super(`the stream is still being counted: ${progress}`);
    this.name = 'StillCountingError';
  }
}

/**
 * Where messages go: an append-only stream with strictly increasing ids, and the counts over it.
 * Every adapter passes `test/messages/message-store.contract.ts`.
 */
export interface MessageStore {
  /** Name of the stream. */
  readonly stream: string;
  /** The longest window that `counts` can answer, in milliseconds. */
  readonly maxWindowMs: number;
  /**
   * Appends all messages in one round; one result each, in order. A message is acknowledged once it is durable.
   * Never rejects, and is answered within a bounded time: a store that is away is a failed result.
   */
  append(messages: readonly NewMessage[]): Promise<AppendResult[]>;
  /**
   * Counts by system and severity of the messages whose entry id is not older than the minute of `since`
   * (milliseconds since the epoch), or of all ever stored. Includes every append acknowledged before the call;
   * trimming the stream takes nothing away. Rejects if the store is away, or with a `StillCountingError`.
   */
  counts(since: number | 'all'): Promise<readonly Count[]>;
  /** Rejects if the store is away. */
  size(): Promise<StreamSize>;
  /** Whether the search index has all messages, as far as is known; undefined if there is to be none. */
  searchUp(): boolean | undefined;
  /** Whether the store can take messages now, and what else an operator should know. Never rejects. */
  status(): Promise<DependencyStatus>;
  close(): Promise<void>;
}
