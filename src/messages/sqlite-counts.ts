import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { type EntryNumber, entryTime } from './entry-id.ts';
import type { Message } from './message.ts';
import type { Count } from './message-store.ts';
import { period } from './sqlite-schema.ts';

const minuteMs = 60_000;
/** Distinct systems that are counted by name; later ones are counted together, under `overflowSystem`. */
export const MAX_SYSTEMS = 10_000;
export const overflowSystem = '(other)';
/** Windows whose sums are remembered, and windows whose unchanging part is. */
const MAX_SUMS = 16;
/** Longest window that can be asked for: 31 days and a little. Minutes and hours further back are dropped. */
export const MAX_WINDOW_MS = 768 * 60 * minuteMs;

type Row = Record<string, SQLOutputValue>;

/**
 * Message counts by system and severity, in buckets of a minute, an hour and all time. A window is summed from whole
 * hours and the minutes before the first of them, so a read touches at most 60 minutes and 768 hours, whatever the
 * length of the stream.
 */
export class SqliteCounts {
  readonly #statements;
  readonly #systems: Set<string>;
  readonly #sums = new LRUCache<string, Count[]>({ max: MAX_SUMS });
  readonly #closedSums = new LRUCache<string, Row[]>({ max: MAX_SUMS });
  #overflowed = 0;

  constructor(db: DatabaseSync) {
    this.#statements = {
      add: db.prepare(
        'INSERT INTO frontdesk_counts VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count',
      ),
      between: db.prepare(
        `SELECT system, severity, sum(count) AS count FROM (
           SELECT system, severity, count FROM frontdesk_counts WHERE period = ${period.minute} AND start >= ? AND start < ?
           UNION ALL
           SELECT system, severity, count FROM frontdesk_counts WHERE period = ${period.hour} AND start >= ? AND start < ?
         ) GROUP BY system, severity`,
      ),
      latest: db.prepare('SELECT last_id FROM frontdesk_stream'),
      all: db.prepare(`SELECT system, severity, count FROM frontdesk_counts WHERE period = ${period.allTime}`),
      trim: db.prepare(
        `DELETE FROM frontdesk_counts WHERE (period, start, system, severity) IN (
           SELECT period, start, system, severity FROM frontdesk_counts WHERE period = ? AND start < ? LIMIT ?)`,
      ),
    };
    this.#systems = new Set(this.#statements.all.all().map(({ system }) => String(system)));
  }

  /** Messages that were counted under `overflowSystem` since this process started. */
  get overflowed(): number {
    return this.#overflowed;
  }

  /** Counts of everything since the minute of `since` (milliseconds since the epoch), or of all time. */
  read(since: number | 'all'): readonly Count[] {
    const from = since === 'all' ? since : Math.floor(since / minuteMs);
    const lastId = Number(this.#statements.latest.get()?.last_id);
    // Nothing is counted without an entry: several readers between two messages share one sum.
    const key = `${from} ${lastId}`;
    const known = this.#sums.get(key);
    if (known !== undefined) return known;
    const counts = this.#rows(from, lastId).map(({ system, severity, count }) => ({
      system: String(system),
      severity: String(severity),
      count: Number(count),
    }));
    this.#sums.set(key, counts);
    return counts;
  }

  /** Sums up one batch, to be written with few statements however many messages it has. */
  tally() {
    const sums = new Map<string, { minute: number; system: string; severity: string; count: number }>();
    return {
      add: (entry: EntryNumber, message: Pick<Message, 'system' | 'severity'>): void => {
        const minute = Math.floor(entryTime(entry) / minuteMs);
        const system = this.#counted(message.system);
        const key = `${minute} ${message.severity} ${system}`;
        const sum = sums.get(key);
        if (sum) sum.count += 1;
        else sums.set(key, { minute, system, severity: message.severity, count: 1 });
      },
      write: (): void => {
        for (const { minute, system, severity, count } of sums.values()) {
          this.#statements.add.run(period.minute, minute, system, severity, count);
          this.#statements.add.run(period.hour, minute - (minute % 60), system, severity, count);
          this.#statements.add.run(period.allTime, 0, system, severity, count);
        }
      },
    };
  }

  /** Drops buckets that no window reaches any more, at most `limit` of each kind. */
  trim(now: number, limit: number): number {
    const oldest = Math.floor((now - MAX_WINDOW_MS) / minuteMs) - period.hour;
    const minutes = this.#statements.trim.run(period.minute, oldest, limit).changes;
    return Number(minutes) + Number(this.#statements.trim.run(period.hour, oldest, limit).changes);
  }

  #rows(minute: number | 'all', lastId: EntryNumber): Row[] {
    if (minute === 'all') return this.#statements.all.all();
    const latest = Math.floor(entryTime(lastId) / minuteMs);
    const liveHour = latest - (latest % period.hour);
    if (minute > liveHour) return this.#between(minute, Number.MAX_SAFE_INTEGER);
    return sum([...this.#closed(minute, liveHour), ...this.#between(liveHour, Number.MAX_SAFE_INTEGER)]);
  }

  /** Ids only grow, so what lies before the hour of the latest entry changes no more, and is summed once. */
  #closed(minute: number, liveHour: number): Row[] {
    const key = `${minute} ${liveHour}`;
    const known = this.#closedSums.get(key);
    if (known !== undefined) return known;
    const rows = this.#between(minute, liveHour);
    this.#closedSums.set(key, rows);
    return rows;
  }

  /** Sums minutes up to the first whole hour, and whole hours from there. */
  #between(from: number, to: number): Row[] {
    const firstWholeHour = Math.min(Math.ceil(from / period.hour) * period.hour, to);
    return this.#statements.between.all(from, firstWholeHour, firstWholeHour, to);
  }

  #counted(system: string): string {
    if (this.#systems.has(system)) return system;
    if (this.#systems.size >= MAX_SYSTEMS) {
      this.#overflowed += 1;
      return overflowSystem;
    }
    this.#systems.add(system);
    return system;
  }
}

/** One row for each system and severity. */
function sum(rows: readonly Row[]): Row[] {
  const sums = new Map<string, Row>();
  for (const row of rows) {
    const key = `${row.severity} ${row.system}`;
    const known = sums.get(key);
    sums.set(key, known === undefined ? row : { ...row, count: Number(known.count) + Number(row.count) });
  }
  return [...sums.values()];
}
