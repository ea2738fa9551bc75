/** `Date.parse` alone takes "server 5" for a day in May 2001. */
const iso8601 = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i;

/** `value` as its sender wrote it if it is an ISO 8601 date or time, else `now` (milliseconds since the epoch). */
export function timestampOr(value: unknown, now: number): string {
  if (typeof value === 'string' && iso8601.test(value) && !Number.isNaN(Date.parse(value))) return value;
  return new Date(now).toISOString();
}
