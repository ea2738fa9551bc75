import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { DependencyStatus } from '../http/ready.ts';
import type { AppendResult, Count, NewMessage } from './message-store.ts';
import { MAX_SYSTEMS, SqliteCounts } from './sqlite-counts.ts';
import { openDatabase } from './sqlite-schema.ts';
import { attachSearch, detachSearch } from './sqlite-search.ts';
import { type Retention, SqliteWriter } from './sqlite-writer.ts';

/** https://sqlite.org/rescode.html */
const SQLITE_ERROR = 1;
const SQLITE_CORRUPT = 11;

/** What an engine is opened with; plain data, so that it can cross to another thread. */
export interface EngineOptions {
  /** Folder of the database; made if missing. */
  dataDir: string;
  stream: string;
  /** Name of the full-text index, if there is to be one. */
  searchIndex: string | undefined;
  retention: Retention;
  /** Longest wait for a lock that another process holds, in milliseconds. */
  lockTimeoutMs: number;
}

/**
 * One stream in one SQLite file. Every call blocks its thread until the disk has answered, so it has a thread of its
 * own (`sqlite-thread.ts`). Times are given by the caller, in milliseconds since the epoch.
 */
export class SqliteEngine {
  readonly #stream: string;
  readonly #db: DatabaseSync;
  readonly #report: (error: string) => void;
  readonly #counts: SqliteCounts;
  readonly #writer: SqliteWriter;
  #search: string | undefined;
  #failure: string | undefined;

  /**
   * @param report is told what an operator should know and no caller is.
   * @throws if the database cannot be opened.
   */
  constructor(options: EngineOptions, report: (error: string) => void) {
    const { dataDir, stream, searchIndex, retention, lockTimeoutMs } = options;
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    this.#db = openDatabase(join(dataDir, `${encodeURIComponent(stream)}.db`), lockTimeoutMs);
    attachSearch(this.#db, searchIndex);
    this.#stream = stream;
    this.#report = report;
    this.#search = searchIndex;
    this.#counts = new SqliteCounts(this.#db);
    this.#writer = new SqliteWriter(this.#db, this.#counts, retention);
  }

  /** Appends `messages` in one durable transaction. All or none: throws if it cannot. */
  append(messages: readonly NewMessage[], now: number): AppendResult[] {
    try {
      const results = this.#appendWithoutBrokenSearch(messages, now);
      this.#failure = undefined;
      return results;
    } catch (error) {
      this.#failure = messageOf(error);
      throw error;
    }
  }

  /** Counts since the minute of `since`, or of all time. */
  counts(since: number | 'all'): Count[] {
    return this.#counts.read(since);
  }

  /** Drops a bounded amount of what has outlived its time. @returns whether there may be more. */
  maintain(now: number): boolean {
    return this.#writer.maintain(now);
  }

  status(now: number): DependencyStatus {
    try {
      // Only a write proves that writes work again, e.g. after the disk was full.
      if (this.#failure !== undefined) this.append([], now);
    } catch {
      // `append` has noted why.
    }
    const details = {
      kind: 'embedded',
      stream: this.#stream,
      ...(this.#search !== undefined && { searchIndex: this.#search }),
      ...(this.#counts.overflowed > 0 && { countedAsOther: this.#counts.overflowed, maxSystems: MAX_SYSTEMS }),
      ...(this.#failure !== undefined && { reason: this.#failure }),
    };
    return { ready: this.#failure === undefined, details };
  }

  close(): void {
    this.#db.close();
  }

  /** A broken search index must not cost a message: the index is taken away, said so, and made anew at the next start. */
  #appendWithoutBrokenSearch(messages: readonly NewMessage[], now: number): AppendResult[] {
    try {
      return this.#writer.append(messages, now);
    } catch (error) {
      if (this.#search === undefined || !hasCode(error, SQLITE_ERROR, SQLITE_CORRUPT)) throw error;
      detachSearch(this.#db);
      const results = this.#writer.append(messages, now);
      this.#search = `${this.#search}: off until the next start, ${messageOf(error)}`;
      this.#report(`search index ${this.#search}`);
      return results;
    }
  }
}

function hasCode(error: unknown, ...codes: number[]): boolean {
  // Extended codes carry the primary one in their low byte.
  return error instanceof Error && 'errcode' in error && codes.includes(Number(error.errcode) & 0xff);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
