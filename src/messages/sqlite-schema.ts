import { DatabaseSync } from 'node:sqlite';
import { messageFields } from './message.ts';

/** Bucket lengths in minutes; `0` is the bucket of all time. */
export const period = { allTime: 0, minute: 1, hour: 60 } as const;

// Counts are kept beside the messages and in the same transaction, so they are exact at every moment,
// cost the same to read however long the stream is, and lose nothing when it is trimmed.
const tables = `
  CREATE TABLE IF NOT EXISTS frontdesk_messages (
    id INTEGER PRIMARY KEY,
    ${messageFields.map((name) => `${name} TEXT NOT NULL`).join(', ')}
  ) STRICT;
  CREATE TABLE IF NOT EXISTS frontdesk_stream (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    last_id INTEGER NOT NULL,
    length INTEGER NOT NULL
  ) STRICT;
  INSERT OR IGNORE INTO frontdesk_stream VALUES (1, 0, 0);
  CREATE TABLE IF NOT EXISTS frontdesk_counts (
    period INTEGER NOT NULL,
    start INTEGER NOT NULL,
    system TEXT NOT NULL,
    severity TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (period, start, system, severity)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS frontdesk_keys (
    key TEXT PRIMARY KEY,
    id INTEGER NOT NULL,
    expires INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS frontdesk_keys_expires ON frontdesk_keys (expires);
`;

/**
 * Opens or makes the database of one stream. A commit is in the write-ahead log when it returns, and durable after the
 * next flush of the log: `synchronous = NORMAL` leaves that flush, and nothing else, to us.
 * https://sqlite.org/pragma.html#pragma_synchronous
 * @throws if the file cannot be opened or is no database.
 */
export function openDatabase(file: string): DatabaseSync {
  // No busy wait: it would block the process. The store waits for a lock without blocking instead.
  const db = new DatabaseSync(file, { timeout: 0 });
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
  db.exec(tables);
  return db;
}
