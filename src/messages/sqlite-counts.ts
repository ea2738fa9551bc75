import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { type EntryNumber, entryTime } from './entry-id.ts';
import type { Message } from './message.ts';
import type { Count } from './message-store.ts';
import { period } from './sqlite-schema.ts';
import {
  type Buckets,
  firstWholeHour,
  MAX_SYSTEMS,
  MAX_WINDOW_MS,
  minuteMs,
  overflowSystem,
} from './windowed-counts.ts';

/** The count buckets of one stream; see `WindowedCounts` for how they are read. */
export class SqliteCounts implements Buckets {
  readonly #statements;
  readonly #systems: Set<string>;
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

  async latest() {
    const id = Number(this.#statements.latest.get()?.last_id);
    return { id, minute: Math.floor(entryTime(id) / minuteMs) };
  }

  async allTime(): Promise<Count[]> {
    return this.#statements.all.all().map(count);
  }

  async between(from: number, to: number): Promise<Count[]> {
    const end = Math.min(to, Number.MAX_SAFE_INTEGER);
    const wholeHours = firstWholeHour(from, end);
    return this.#statements.between.all(from, wholeHours, wholeHours, end).map(count);
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

function count({ system, severity, count }: Record<string, SQLOutputValue>): Count {
  return { system: String(system), severity: String(severity), count: Number(count) };
}
