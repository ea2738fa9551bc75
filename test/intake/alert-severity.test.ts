import { test } from 'tap';
import { alertSeverity, alertStatus } from '../../src/intake/alert-severity.ts';

const meanings = {
  critical: 'critical',
  page: 'critical',
  high: 'critical',
  error: 'error',
  warning: 'warning',
  warn: 'warning',
  medium: 'warning',
  info: 'info',
  low: 'info',
  none: 'info',
  ' Critical ': 'critical',
  PAGE: 'critical',
  sev1: 'warning',
  success: 'warning',
  constructor: 'warning',
};
for (const [label, severity] of Object.entries(meanings)) {
  test(`a firing alert labelled "${label}" is ${severity}, a resolved one success`, async (t) => {
    t.equal(alertSeverity('firing', label), severity);
    t.equal(alertSeverity('resolved', label), 'success');
  });
}

test('a firing alert without a label is a warning, a resolved one success', async (t) => {
  t.equal(alertSeverity('firing', undefined), 'warning');
  t.equal(alertSeverity('resolved', undefined), 'success');
});

test('an alert’s own status wins over that of its group', async (t) => {
  t.equal(alertStatus('firing', 'resolved'), 'firing');
  t.equal(alertStatus('resolved', 'firing'), 'resolved');
  t.equal(alertStatus(undefined, 'resolved'), 'resolved');
  t.equal(alertStatus(undefined, undefined), 'firing');
});

test('a status that is not known counts as firing', async (t) => {
  t.equal(alertStatus('suppressed', 'resolved'), 'firing');
  t.equal(alertStatus('Resolved', undefined), 'resolved');
});
