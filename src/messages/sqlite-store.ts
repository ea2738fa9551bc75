import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { FastifyBaseLogger } from 'fastify';
import type { DependencyStatus } from '../http/ready.ts';
import { reasonOf } from '../reason-of.ts';
import { GroupCommit } from './group-commit.ts';
import type { AppendResult, MessageStore, NewMessage, StreamSize } from './message-store.ts';
import { SqliteCounts } from './sqlite-counts.ts';
import { openDatabase } from './sqlite-schema.ts';
import { attachSearch, detachSearch } from './sqlite-search.ts';
import { type Retention, SqliteWriter } from './sqlite-writer.ts';
import { waitingMessages } from './waiting-messages.ts';
import { MAX_SYSTEMS, MAX_WINDOW_MS, WindowedCounts } from './windowed-counts.ts';
import { openWriteAheadLog, type WriteAheadLog } from './write-ahead-log.ts';

/** Messages of one transaction. */
const MAX_BATCH = 10_000;
/** How often old data is looked for, in milliseconds. */
const MAINTENANCE_MS = 60_000;
/** https://sqlite.org/rescode.html */
const SQLITE_ERROR = 1;
const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;

export interface SqliteStoreOptions {
  /** Folder of the database; made if missing. */
  dataDir: string;
  stream: string;
  /** Name of the full-text index, if there is to be one. */
  searchIndex: string | undefined;
  retention: Retention;
  /** Longest wait for a lock that another process holds, in milliseconds. */
  timeoutMs: number;
  clock: () => number;
  log: Pick<FastifyBaseLogger, 'error'>;
}

/**
 * The embedded store: one SQLite file per stream, written by group commit: a message is acknowledged when its transaction
 * is on disk, and no request but those that wait for it is held up by the disk.
 * @throws if the database cannot be opened.
 */
export function openSqliteStore(options: SqliteStoreOptions): MessageStore {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const file = join(options.dataDir, `${encodeURIComponent(options.stream)}.db`);
  const db = openDatabase(file);
  attachSearch(db, options.searchIndex);
  return new SqliteStore(db, openWriteAheadLog(file), options);
}

class SqliteStore implements MessageStore {
  readonly stream: string;
  readonly maxWindowMs = MAX_WINDOW_MS;
  readonly #db: DatabaseSync;
  readonly #writeAheadLog: WriteAheadLog;
  readonly #log: Pick<FastifyBaseLogger, 'error'>;
  readonly #counts: SqliteCounts;
  readonly #windows: WindowedCounts;
  readonly #writer: SqliteWriter;
  readonly #commits: GroupCommit<NewMessage, AppendResult>;
  readonly #maintenance: NodeJS.Timeout;
  readonly #search: string | undefined;
  #searchFailure: string | undefined;
  #failure: string | undefined;

  constructor(db: DatabaseSync, writeAheadLog: WriteAheadLog, options: SqliteStoreOptions) {
    const { stream, searchIndex, retention, timeoutMs, clock, log } = options;
    this.stream = stream;
    this.#db = db;
    this.#writeAheadLog = writeAheadLog;
    this.#log = log;
    this.#search = searchIndex;
    this.#counts = new SqliteCounts(db);
    this.#windows = new WindowedCounts(this.#counts);
    this.#writer = new SqliteWriter(db, this.#counts, retention, clock);
    this.#commits = new GroupCommit<NewMessage, AppendResult>({
      write: (messages, tell) => this.#write(messages, tell),
      isTransient: isBusy,
      failed: (error) => ({ ok: false, reason: `the message store failed: ${reasonOf(error)}` }),
      ...waitingMessages,
      maxBatch: MAX_BATCH,
      maxInFlight: () => 1,
      timeoutMs,
      // A commit cannot be taken back: the next one waits for it.
      giveUp: () => undefined,
    });
    this.#maintenance = setInterval(() => this.#maintain(), MAINTENANCE_MS).unref();
  }

  append(messages: readonly NewMessage[]): Promise<AppendResult[]> {
    return this.#commits.add(messages);
  }

  counts(since: number | 'all') {
    return this.#windows.read(since);
  }

  async size(): Promise<StreamSize> {
    return this.#writer.size();
  }

  searchUp(): boolean | undefined {
    return this.#search === undefined ? undefined : this.#searchFailure === undefined;
  }

  async status(): Promise<DependencyStatus> {
    // Only a write proves that writes work again, e.g. after the disk was full.
    if (this.#failure !== undefined) await this.append([]);
    const details = {
      kind: 'embedded',
      stream: this.stream,
      ...(this.#search !== undefined && {
        searchIndex: this.#searchFailure === undefined ? this.#search : `${this.#search}: ${this.#searchFailure}`,
      }),
      ...(this.#counts.overflowed > 0 && { countedAsOther: this.#counts.overflowed, maxSystems: MAX_SYSTEMS }),
      ...(this.#failure !== undefined && { reason: this.#failure }),
    };
    return { ready: this.#failure === undefined, details };
  }

  async close(): Promise<void> {
    clearInterval(this.#maintenance);
    await this.#commits.idle();
    this.#writeAheadLog.close();
    this.#db.close();
  }

  #write(messages: readonly NewMessage[], tell: (index: number, result: AppendResult) => void): Promise<void> {
    const results = this.#commit(messages);
    return this.#flush().then(() => results.forEach((result, i) => void tell(i, result)));
  }

  #commit(messages: readonly NewMessage[]): AppendResult[] {
    try {
      const results = this.#appendWithoutSearchIfNeeded(messages);
      this.#failure = undefined;
      return results;
    } catch (error) {
      this.#failure = reasonOf(error);
      if (!isBusy(error)) this.#log.error({ err: error, messages: messages.length }, 'messages could not be stored');
      throw error;
    }
  }

  async #flush(): Promise<void> {
    try {
      await this.#writeAheadLog.flush();
    } catch (error) {
      this.#failure = reasonOf(error);
      this.#log.error({ err: error }, 'messages could not be made durable');
      throw error;
    }
  }

  /** A broken search index must not cost a message: the index is taken away, said so, and made anew at the next start. */
  #appendWithoutSearchIfNeeded(messages: readonly NewMessage[]): AppendResult[] {
    try {
      return this.#writer.append(messages);
    } catch (error) {
      if (this.#search === undefined || !hasCode(error, SQLITE_ERROR, SQLITE_CORRUPT)) throw error;
      detachSearch(this.#db);
      const results = this.#writer.append(messages);
      this.#log.error({ err: error, index: this.#search }, 'search index failed; it is off until the next start');
      this.#searchFailure = `off until the next start, ${reasonOf(error)}`;
      return results;
    }
  }

  #maintain(): void {
    try {
      if (this.#writer.maintain()) setImmediate(() => this.#db.isOpen && this.#maintain());
    } catch (error) {
      if (!isBusy(error)) this.#log.error({ err: error }, 'old messages could not be dropped');
    }
  }
}

function isBusy(error: unknown): boolean {
  return hasCode(error, SQLITE_BUSY);
}

function hasCode(error: unknown, ...codes: number[]): boolean {
  // Extended codes carry the primary one in their low byte.
  return error instanceof Error && 'errcode' in error && codes.includes(Number(error.errcode) & 0xff);
}
