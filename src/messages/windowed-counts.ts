import { LRUCache } from 'lru-cache';
import type { Count } from './message-store.ts';

export const minuteMs = 60_000;
/** Minutes of an hour. */
export const hour = 60;
/** Longest window that can be asked for: 31 days and a little. Minutes and hours further back are dropped. */
export const MAX_WINDOW_MS = 768 * hour * minuteMs;
/** Distinct systems that are counted by name; later ones are counted together, under `overflowSystem`. */
export const MAX_SYSTEMS = 10_000;
export const overflowSystem = '(other)';
/** Windows whose sums are remembered, and windows whose unchanging part is. */
const MAX_SUMS = 16;

/** Message counts in buckets of a minute, an hour and all time. Times are in minutes since the epoch. */
export interface Buckets {
  /** The latest entry that is counted, and its minute. */
  latest(): Promise<{ id: string | number; minute: number }>;
  allTime(): Promise<Count[]>;
  /**
   * Sums the minutes from `from` up to the first whole hour, and the hours from there up to, without, `to`, which is the
   * start of an hour or infinite. One count for each system and severity.
   */
  between(from: number, to: number): Promise<Count[]>;
}

/**
 * Counts over any window, from whole hours and the minutes before the first of them: a read touches at most 60 minutes
 * and 768 hours, whatever the length of the stream.
 */
export class WindowedCounts {
  readonly #buckets: Buckets;
  readonly #sums = new LRUCache<string, Count[]>({ max: MAX_SUMS });
  readonly #closedSums = new LRUCache<string, Count[]>({ max: MAX_SUMS });

  constructor(buckets: Buckets) {
    this.#buckets = buckets;
  }

  /** Counts of everything since the minute of `since` (milliseconds since the epoch), or of all time. */
  async read(since: number | 'all'): Promise<readonly Count[]> {
    const from = since === 'all' ? since : Math.floor(since / minuteMs);
    const { id, minute } = await this.#buckets.latest();
    // Nothing is counted without an entry: several readers between two messages share one sum.
    const key = `${from} ${id}`;
    const known = this.#sums.get(key);
    if (known !== undefined) return known;
    const counts = from === 'all' ? await this.#buckets.allTime() : await this.#window(from, minute);
    this.#sums.set(key, counts);
    return counts;
  }

  async #window(from: number, latest: number): Promise<Count[]> {
    const liveHour = latest - (latest % hour);
    if (from > liveHour) return this.#buckets.between(from, Number.POSITIVE_INFINITY);
    const closed = await this.#closed(from, liveHour);
    return sum(closed, await this.#buckets.between(liveHour, Number.POSITIVE_INFINITY));
  }

  /** Ids only grow, so what lies before the hour of the latest entry changes no more, and is summed once. */
  async #closed(from: number, liveHour: number): Promise<Count[]> {
    const key = `${from} ${liveHour}`;
    const known = this.#closedSums.get(key);
    if (known !== undefined) return known;
    const counts = await this.#buckets.between(from, liveHour);
    this.#closedSums.set(key, counts);
    return counts;
  }
}

/** Where the whole hours of a window begin that starts at `from` and ends at `to`. */
export function firstWholeHour(from: number, to: number): number {
  return Math.min(Math.ceil(from / hour) * hour, to);
}

/** One count for each system and severity. */
export function sum(...parts: readonly (readonly Count[])[]): Count[] {
  const sums = new Map<string, Count>();
  for (const one of parts.flat()) {
    const key = `${one.severity}\n${one.system}`;
    const known = sums.get(key);
    sums.set(key, known === undefined ? one : { ...one, count: known.count + one.count });
  }
  return [...sums.values()];
}
