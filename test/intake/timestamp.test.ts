import { test } from 'tap';
import { timestampOr } from '../../src/intake/timestamp.ts';
import { now, nowIso } from './now.ts';

const dates = [
  '2026-11-20',
  '2026-11-20T10:14Z',
  '2026-11-20T10:14:22Z',
  '2026-11-20T10:14:22.412589417Z',
  '2026-11-20T10:14:22+02:00',
  '2026-11-20 10:14:22+00:00',
  '2026-11-20T10:14:22',
  '0001-01-01T00:00:00Z',
];
for (const date of dates) {
  test(`${date} is kept as its sender wrote it`, async (t) => {
    t.equal(timestampOr(date, now), date);
  });
}

const others = ['', 'yesterday', 'server 5', '5', '2026-13-01T00:00:00Z', '2026-11-20T25:00:00Z', '20 Nov 2026'];
for (const value of [...others, 1_763_700_000, null, undefined, {}, ['2026-11-20']]) {
  test(`${JSON.stringify(value)} is no timestamp: now stands in for it`, async (t) => {
    t.equal(timestampOr(value, now), nowIso);
  });
}
