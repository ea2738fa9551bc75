import { test } from 'tap';
import { alertOnce } from '../../src/intake/alert-once.ts';

const hour = 3_600_000;
const alert = { fingerprint: 'f1', startsAt: '2026-11-20T10:14:22Z', status: 'firing', labels: { a: '1', b: '2' } };
const keyOf = (value: Record<string, unknown>, groupStatus?: string) => alertOnce(value, groupStatus, hour).key;

test('the same fingerprint, start and status is the same alert, whatever else differs', async (t) => {
  t.equal(keyOf({ ...alert, annotations: { summary: 'again' }, labels: {} }), keyOf(alert));
  t.equal(alertOnce(alert, undefined, hour).ttlMs, hour);
});

test('another fingerprint, start or status is another alert', async (t) => {
  const others = [{ fingerprint: 'f2' }, { startsAt: '2026-11-20T10:14:23Z' }, { status: 'resolved' }];
  const keys = others.map((other) => keyOf({ ...alert, ...other }));
  t.equal(new Set([keyOf(alert), ...keys]).size, 4);
});

test('the status of the group counts where the alert has none', async (t) => {
  const { status: _, ...silent } = alert;
  t.equal(keyOf(silent, 'firing'), keyOf(alert));
  t.not(keyOf(silent, 'resolved'), keyOf(alert));
});

test('without a fingerprint the labels stand in for it, in any order', async (t) => {
  const { fingerprint: _, ...bare } = alert;
  t.equal(keyOf({ ...bare, labels: { b: '2', a: '1' } }), keyOf(bare));
  t.not(keyOf({ ...bare, labels: { a: '1', b: '3' } }), keyOf(bare));
  t.not(keyOf({ ...bare, labels: { a: '1,b=2' } }), keyOf(bare));
});

test('the key is short, however long the fingerprint', async (t) => {
  t.match(keyOf({ ...alert, fingerprint: 'f'.repeat(100_000) }), /^alerting:[0-9a-f]{64}$/);
});
