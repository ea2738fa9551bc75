import fc from 'fast-check';
import { test } from 'tap';
import { formatDuration, parseDuration } from '../src/duration.ts';

test('Go durations are read as milliseconds', (t) => {
  const cases: [string, number][] = [
    ['24h', 86_400_000],
    ['1h30m', 5_400_000],
    ['1.5s', 1500],
    ['.5m', 30_000],
    ['250ms', 250],
    ['1us', 0.001],
    ['1µs', 0.001],
    ['0', 0],
    ['0s', 0],
  ];
  for (const [text, ms] of cases) t.equal(parseDuration(text), ms, text);
  t.end();
});

test('anything else is no duration', (t) => {
  for (const text of ['', '5', 'h', '1d', '-1h', '+1h', '1h ', ' 1h', '1 h', '1h,2m', '1e3s', '１h', '.s']) {
    t.equal(parseDuration(text), undefined, JSON.stringify(text));
  }
  t.end();
});

test('a duration is written as Go writes it', (t) => {
  const cases: [number, string][] = [
    [0, '0s'],
    [999, '0s'],
    [61_000, '1m1s'],
    [300_000, '5m0s'],
    [9_015_000, '2h30m15s'],
    [3_600_000, '1h0m0s'],
  ];
  for (const [ms, text] of cases) t.equal(formatDuration(ms), text);
  t.end();
});

test('what is written is read again, to the second', (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1e9 }),
      (seconds) => parseDuration(formatDuration(seconds * 1000)) === seconds * 1000,
    ),
  );
  t.end();
});
