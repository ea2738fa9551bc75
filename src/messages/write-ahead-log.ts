import { closeSync, fdatasync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const flushFile = promisify(fdatasync);

/** The write-ahead log of an open SQLite database, seen as a file that can be flushed without blocking the process. */
export interface WriteAheadLog {
  /** Resolves when every commit that returned before the call is on disk. */
  flush(): Promise<void>;
  close(): void;
}

/**
 * Opens the log of `databaseFile`. The log exists, and stays one and the same file, as long as the database is open.
 * https://sqlite.org/wal.html
 */
export function openWriteAheadLog(databaseFile: string): WriteAheadLog {
  const log = openSync(`${databaseFile}-wal`, 'r+');
  // The names of new files are durable only when their folder is flushed.
  const folder = openSync(dirname(databaseFile), 'r');
  fsyncSync(folder);
  closeSync(folder);
  return { flush: () => flushFile(log), close: () => closeSync(log) };
}
