import type { FastifyBaseLogger } from 'fastify';
import type { DependencyStatus } from '../http/ready.ts';
import { GroupCommit } from './group-commit.ts';
import type { AppendResult, Count, MessageStore, NewMessage } from './message-store.ts';
import { MAX_WINDOW_MS } from './sqlite-counts.ts';
import { type SqliteThread, startSqliteThread } from './sqlite-thread.ts';
import type { Retention } from './sqlite-writer.ts';

/** Payload characters that may wait for a transaction; messages beyond are refused. */
const MAX_QUEUED_CHARACTERS = 67_108_864;
/** What a queued message takes beside its payload, in characters, so that small ones are bounded too. */
const MESSAGE_OVERHEAD = 1024;
/** How often old data is looked for, in milliseconds. */
const MAINTENANCE_MS = 60_000;

export interface SqliteStoreOptions {
  /** Folder of the database; made if missing. */
  dataDir: string;
  stream: string;
  /** Name of the full-text index, if there is to be one. */
  searchIndex: string | undefined;
  retention: Retention;
  /** Longest wait for a result, in milliseconds. */
  timeoutMs: number;
  clock: () => number;
  log: Pick<FastifyBaseLogger, 'error'>;
}

/**
 * The embedded store: one SQLite file per stream, written by group commit on a thread of its own.
 * @throws if the database cannot be opened.
 */
export async function openSqliteStore({
  timeoutMs,
  clock,
  log,
  ...options
}: SqliteStoreOptions): Promise<MessageStore> {
  // Half of the time, so that those who wait behind a commit that fails for a lock can still be tried.
  const engine = { ...options, lockTimeoutMs: timeoutMs / 2 };
  const thread = await startSqliteThread(engine, (report) => log.error({ stream: options.stream }, report));
  return new SqliteStore(thread, options.stream, timeoutMs, clock, log);
}

class SqliteStore implements MessageStore {
  readonly stream: string;
  readonly maxWindowMs = MAX_WINDOW_MS;
  readonly #thread: SqliteThread;
  readonly #clock: () => number;
  readonly #log: Pick<FastifyBaseLogger, 'error'>;
  readonly #commits: GroupCommit<NewMessage, AppendResult>;
  readonly #maintenance: NodeJS.Timeout;

  constructor(
    thread: SqliteThread,
    stream: string,
    timeoutMs: number,
    clock: () => number,
    log: Pick<FastifyBaseLogger, 'error'>,
  ) {
    this.stream = stream;
    this.#thread = thread;
    this.#clock = clock;
    this.#log = log;
    this.#commits = new GroupCommit<NewMessage, AppendResult>({
      commit: (messages) => this.#commit(messages),
      failed: (error) => ({ ok: false, reason: `the message store failed: ${messageOf(error)}` }),
      size: ({ payload }) => payload.length + MESSAGE_OVERHEAD,
      maxQueued: MAX_QUEUED_CHARACTERS,
      timeoutMs,
    });
    this.#maintenance = setInterval(() => void this.#maintain(), MAINTENANCE_MS).unref();
  }

  append(messages: readonly NewMessage[]): Promise<AppendResult[]> {
    return this.#commits.add(messages);
  }

  counts(since: number | 'all'): Promise<Count[]> {
    return this.#thread.call('counts', since);
  }

  status(): Promise<DependencyStatus> {
    return this.#thread.call('status', this.#clock());
  }

  async close(): Promise<void> {
    clearInterval(this.#maintenance);
    // An empty append ends after everything that was appended before it.
    await this.append([]);
    await this.#thread.call('close');
    await this.#thread.end();
  }

  async #commit(messages: readonly NewMessage[]): Promise<AppendResult[]> {
    try {
      return await this.#thread.call('append', messages, this.#clock());
    } catch (error) {
      this.#log.error({ err: error, messages: messages.length }, 'messages could not be stored');
      throw error;
    }
  }

  async #maintain(): Promise<void> {
    try {
      while (await this.#thread.call('maintain', this.#clock())) await this.append([]);
    } catch (error) {
      this.#log.error({ err: error }, 'old messages could not be dropped');
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
