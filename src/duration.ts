const unitMs: Record<string, number> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};
const number = '(?:[0-9]+(?:[.][0-9]*)?|[.][0-9]+)';
const unit = '(?:ns|us|µs|μs|ms|s|m|h)';
const term = new RegExp(`(${number})(${unit})`, 'y');

/** What `parseDuration` takes, as a regular expression without anchors. */
export const DURATION_PATTERN = `(?:0|(?:${number}${unit})+)`;

/**
 * Milliseconds of a Go duration without sign, such as `24h`, `1h30m`, `1.5s` or `0`; undefined if it is not one.
 * Format: https://pkg.go.dev/time#ParseDuration
 */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  let total = 0;
  term.lastIndex = 0;
  while (term.lastIndex < text.length) {
    const match = term.exec(text);
    if (match === null) return undefined;
    total += Number(match[1]) * (unitMs[match[2] ?? ''] ?? Number.NaN);
  }
  return text === '' ? undefined : total;
}

/** A Go duration in whole seconds, as Go prints it: `2h30m15s`, `5m0s`, `0s`. */
export function formatDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (h > 0) return `${h}h${m}m${s}s`;
  return m > 0 ? `${m}m${s}s` : `${s}s`;
}
