/** Sequence numbers in one millisecond; a burst of more moves on to the next millisecond. */
const perMillisecond = 1000;

/**
 * Entry ids as one integer, so that they order and index as integers: `milliseconds * 1000 + sequence`,
 * within what a double holds exactly until the year 2255.
 */
export type EntryNumber = number;

/** The id after `last` at time `now`: strictly larger, even where the clock went back. */
export function nextEntry(last: EntryNumber, now: number): EntryNumber {
  return Math.max(now * perMillisecond, last + 1);
}

/** The first id of a millisecond. */
export function firstEntryAt(ms: number): EntryNumber {
  return ms * perMillisecond;
}

/** When an entry was made, in milliseconds since the epoch. */
export function entryTime(entry: EntryNumber): number {
  return Math.floor(entry / perMillisecond);
}

/** The id as callers see it: `<milliseconds>-<sequence>`, as Redis writes stream ids. */
export function formatEntryId(entry: EntryNumber): string {
  return `${entryTime(entry)}-${entry % perMillisecond}`;
}
