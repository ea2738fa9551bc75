import { closeSync, fdatasync, fdatasyncSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

/** Flushes that take longer than this on average are worth a change of threads, in milliseconds. */
const SLOW_FLUSH_MS = 2;
/** Flushes on another thread, once they are slow, until the disk is tried on this one again. */
const PATIENCE = 256;
/** How much the latest flush weighs in the average: a disk that is slow once in a while is still a quick one. */
const WEIGHT = 0.02;

const flushElsewhere = promisify(fdatasync);

/** The write-ahead log of an open SQLite database, seen as a file that can be flushed apart from its commits. */
export interface WriteAheadLog {
  /** Returns, or resolves, when every commit that returned before the call is on disk. */
  flush(): Promise<void> | undefined;
  close(): void;
}

/**
 * Opens the log of `databaseFile`. The log exists, and stays one and the same file, as long as the database is open.
 * A disk that is quicker than a change of threads is waited for; a slower one is not, so that it holds up nobody but
 * those whose messages it is to keep.
 * https://sqlite.org/wal.html
 */
export function openWriteAheadLog(databaseFile: string): WriteAheadLog {
  const log = openSync(`${databaseFile}-wal`, 'r+');
  // The names of new files are durable only when their folder is flushed.
  const folder = openSync(dirname(databaseFile), 'r');
  fsyncSync(folder);
  closeSync(folder);

  let averageMs = 0;
  let elsewhere = 0;
  return {
    flush() {
      if (elsewhere > 0) {
        elsewhere -= 1;
        return flushElsewhere(log);
      }
      const started = performance.now();
      fdatasyncSync(log);
      averageMs += WEIGHT * (performance.now() - started - averageMs);
      if (averageMs > SLOW_FLUSH_MS) elsewhere = PATIENCE;
      return undefined;
    },
    close: () => closeSync(log),
  };
}
