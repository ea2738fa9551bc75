import type { DatabaseSync } from 'node:sqlite';
import { entryTime, firstEntryAt, formatEntryId, nextEntry } from './entry-id.ts';
import { messageFields } from './message.ts';
import type { AppendResult, NewMessage, StreamSize } from './message-store.ts';
import type { SqliteCounts } from './sqlite-counts.ts';

/** Messages that one transaction trims at most, so that no writer waits long for another's backlog. */
const MAX_TRIM = 1000;
/** Idempotency keys remembered; past it the ones that expire first are forgotten early. */
const MAX_KEYS = 1_000_000;

export interface Retention {
  maxLength: number;
  maxAgeMs: number;
}

/** The transactions on one stream. */
export class SqliteWriter {
  readonly #db: DatabaseSync;
  readonly #counts: SqliteCounts;
  readonly #retention: Retention;
  readonly #clock: () => number;
  readonly #statements;

  constructor(db: DatabaseSync, counts: SqliteCounts, retention: Retention, clock: () => number) {
    this.#db = db;
    this.#counts = counts;
    this.#retention = retention;
    this.#clock = clock;
    this.#statements = {
      stream: db.prepare('SELECT last_id, length FROM frontdesk_stream'),
      setStream: db.prepare('UPDATE frontdesk_stream SET last_id = ?, length = ?'),
      insert: db.prepare(
        `INSERT INTO frontdesk_messages (id, ${messageFields.join(', ')}) VALUES (?${', ?'.repeat(messageFields.length)})`,
      ),
      bytes: db.prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size'),
      oldest: db.prepare('SELECT min(id) AS id FROM frontdesk_messages'),
      findKey: db.prepare('SELECT id FROM frontdesk_keys WHERE key = ? AND expires > ?'),
      setKey: db.prepare('INSERT OR REPLACE INTO frontdesk_keys VALUES (?, ?, ?)'),
      trim: db.prepare(
        'DELETE FROM frontdesk_messages WHERE id IN (SELECT id FROM frontdesk_messages WHERE id < ? ORDER BY id LIMIT ?)',
      ),
      expireKeys: db.prepare(
        'DELETE FROM frontdesk_keys WHERE key IN (SELECT key FROM frontdesk_keys WHERE expires <= ? LIMIT ?)',
      ),
      trimKeys: db.prepare(
        `DELETE FROM frontdesk_keys WHERE key IN (SELECT key FROM frontdesk_keys ORDER BY expires DESC LIMIT ? OFFSET ${MAX_KEYS})`,
      ),
    };
  }

  /** Appends `messages` in one durable transaction. All or none: throws if it cannot. */
  append(messages: readonly NewMessage[]): AppendResult[] {
    return this.#transaction((stream) => {
      const now = this.#clock();
      const tally = this.#counts.tally();
      const results = messages.map((message): AppendResult => {
        const known = message.once && this.#statements.findKey.get(message.once.key, now)?.id;
        if (typeof known === 'number') return { ok: true, id: formatEntryId(known), duplicate: true };

        const entry = nextEntry(stream.lastId, now);
        this.#insert(entry, message);
        if (message.once) this.#statements.setKey.run(message.once.key, entry, now + message.once.ttlMs);
        tally.add(entry, message);
        stream.lastId = entry;
        stream.length += 1;
        return { ok: true, id: formatEntryId(entry), duplicate: false };
      });
      tally.write();
      this.#trim(stream, now);
      return results;
    });
  }

  size(): StreamSize {
    const { stream, oldest, bytes } = this.#statements;
    const first = oldest.get()?.id;
    return {
      length: Number(stream.get()?.length),
      oldest: typeof first === 'number' ? entryTime(first) : undefined,
      bytes: Number(bytes.get()?.bytes),
    };
  }

  /**
   * Drops what has outlived its time, a bounded amount at once.
   * @returns whether there may be more.
   */
  maintain(): boolean {
    return this.#transaction((stream) => {
      const now = this.#clock();
      const dropped = [
        this.#trim(stream, now),
        Number(this.#statements.expireKeys.run(now, MAX_TRIM).changes),
        Number(this.#statements.trimKeys.run(MAX_TRIM).changes),
        this.#counts.trim(now, MAX_TRIM),
      ];
      return dropped.some((count) => count >= MAX_TRIM);
    });
  }

  #insert(entry: number, message: NewMessage): void {
    this.#statements.insert.run(
      entry,
      message.title,
      message.message,
      message.severity,
      message.timestamp,
      message.system,
      message.url,
      message.tags,
      message.source,
      message.name,
      message.repository,
      message.payload,
    );
  }

  #trim(stream: { length: number }, now: number): number {
    const { maxLength, maxAgeMs } = this.#retention;
    const expired = firstEntryAt(now - maxAgeMs);
    if (stream.length <= maxLength && Number(this.#statements.oldest.get()?.id ?? expired) >= expired) return 0;

    const tooMany = Math.min(stream.length - maxLength, MAX_TRIM);
    const surplus = tooMany > 0 ? this.#statements.trim.run(Number.MAX_SAFE_INTEGER, tooMany).changes : 0;
    const aged = this.#statements.trim.run(expired, MAX_TRIM).changes;
    const trimmed = Number(surplus) + Number(aged);
    stream.length -= trimmed;
    return trimmed;
  }

  /** Reads the stream's state inside the transaction, so that two processes on one file give no id twice. */
  #transaction<T>(run: (stream: { lastId: number; length: number }) => T): T {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const row = this.#statements.stream.get();
      const stream = { lastId: Number(row?.last_id), length: Number(row?.length) };
      const result = run(stream);
      this.#statements.setStream.run(stream.lastId, stream.length);
      this.#db.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }
}
