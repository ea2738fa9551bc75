import { test } from 'tap';
import { MAX_ALERTS } from '../../src/intake/alert-group.ts';
import { authorized, startApp } from '../app.ts';
import { startIntake } from './intake-app.ts';
import { payload } from './payloads.ts';
import { recordingStore } from './recording-store.ts';

const request = (body: unknown, headers: Record<string, string> = authorized) => ({
  method: 'POST' as const,
  url: '/pitch/alerting',
  headers,
  payload: typeof body === 'string' ? body : JSON.stringify(body),
});
const alert = (alertname: string, more = {}) => ({ labels: { alertname }, ...more });

for (const source of ['alertmanager', 'grafana'] as const) {
  test(`the webhook of ${source} is enqueued, one message for each alert`, async (t) => {
    const app = await startApp(t);
    const { alerts } = payload(source);
    const response = await app.inject(request(payload(source)));
    t.equal(response.statusCode, 200);
    const { results, ...rest } = response.json();
    t.strictSame(rest, { status: 'success', message: '2 of 2 alerts enqueued', errors: [] });
    t.equal(results.length, 2);
    for (const [i, result] of results.entries()) {
      t.strictSame(Object.keys(result).sort(), ['message', 'objectId', 'status', 'streamId']);
      t.match(result, { objectId: /^\d+-\d+$/, streamId: 'messages', status: 'success' });
      t.match(result.message, alerts[i].labels.alertname);
    }
    const summary = await app.inject({ url: '/analytics/summary', headers: authorized });
    t.match(summary.json(), { totalMessages: 2, severityCounts: { critical: 1 } });
  });
}

test('a bare array of alerts is enqueued as well', async (t) => {
  const { app, store } = await startIntake(t);
  const response = await app.inject(request([alert('A'), alert('B', { receiver: 'pager', status: 'resolved' })]));
  t.match(response.json(), { status: 'success', message: '2 of 2 alerts enqueued', errors: [] });
  t.match(store.messages, [
    { title: 'A', system: 'alerting', severity: 'warning' },
    { title: 'B', system: 'pager', severity: 'success' },
  ]);
});

test('all alerts of a payload travel in one append, in their order', async (t) => {
  const { app, store } = await startIntake(t);
  const alerts = Array.from({ length: 100 }, (_, i) => alert(`A${i}`));
  await app.inject(request({ receiver: 'r', alerts }));
  t.strictSame(store.appends, [100]);
  t.strictSame(
    store.messages.map(({ title }) => title),
    alerts.map(({ labels }) => labels.alertname),
  );
});

test('alerts that cannot be enqueued do not fail the others, and each is named with its reason', async (t) => {
  const store = recordingStore(({ title }) => (title === 'Full' ? 'disk full' : undefined));
  const { app } = await startIntake(t, { store });
  const alerts = [alert('A'), 5, alert('Full', { fingerprint: 'f1' }), alert('Full'), null, alert('B'), [alert('C')]];
  const response = await app.inject(request({ alerts }));
  t.equal(response.statusCode, 200);
  t.strictSame(response.json(), {
    status: 'success',
    message: '2 of 7 alerts enqueued',
    results: [
      { objectId: '1700000000000-1', streamId: 'messages', status: 'success', message: 'Alert A enqueued' },
      { objectId: '1700000000000-2', streamId: 'messages', status: 'success', message: 'Alert B enqueued' },
    ],
    errors: [
      'alert #1: not an object',
      'alert f1: disk full',
      'alert Full: disk full',
      'alert #4: not an object',
      'alert #6: not an object',
    ],
  });
});

test('if every alert fails the answer is 503, with all reasons and when to try again', async (t) => {
  const { app } = await startIntake(t, { store: recordingStore(() => 'connection lost') });
  const response = await app.inject(request({ alerts: [alert('A'), alert('B')] }));
  t.equal(response.statusCode, 503);
  t.match(response.headers['retry-after'], /^[1-9]\d*$/);
  t.strictSame(response.json(), {
    status: 'error',
    message: 'Failed to enqueue all alerts',
    errors: ['alert A: connection lost', 'alert B: connection lost'],
  });
});

test('if no alert is an object the answer is 503, and the store is not asked', async (t) => {
  const { app, store } = await startIntake(t);
  const response = await app.inject(request(['x', 1]));
  t.equal(response.statusCode, 503);
  t.match(response.json(), { errors: ['alert #0: not an object', 'alert #1: not an object'] });
  t.strictSame(store.appends, []);
});

for (const body of [[], { alerts: [] }, { receiver: 'r', status: 'firing', alerts: [] }]) {
  test(`${JSON.stringify(body)} has no alerts: none of none is enqueued`, async (t) => {
    const app = await startApp(t);
    const response = await app.inject(request(body));
    t.equal(response.statusCode, 200);
    t.strictSame(response.json(), { status: 'success', message: '0 of 0 alerts enqueued', results: [], errors: [] });
  });
}

for (const body of [
  '{}',
  '{"receiver":"r"}',
  '{"alerts":{}}',
  '{"alerts":null}',
  '{"alerts":"x"}',
  '"x"',
  '5',
  'null',
  'true',
]) {
  test(`${body} is refused with 400 that names alerts`, async (t) => {
    const app = await startApp(t);
    const response = await app.inject(request(body));
    t.equal(response.statusCode, 400);
    t.match(response.json(), { status: 'error', message: /alerts/ });
  });
}

test('a body that is no JSON is refused with 400', async (t) => {
  const app = await startApp(t);
  for (const body of ['', '{"alerts":[', 'alerts']) {
    const response = await app.inject(request(body));
    t.equal(response.statusCode, 400);
    t.match(response.json(), { status: 'error', message: /body/ });
  }
});

test('as many alerts as the limit are taken, one more is refused with 400 that names alerts', async (t) => {
  const { app, store } = await startIntake(t);
  const alerts = Array.from({ length: MAX_ALERTS }, () => ({}));
  const taken = await app.inject(request(alerts));
  t.match(taken.json(), { message: `${MAX_ALERTS} of ${MAX_ALERTS} alerts enqueued` });
  const refused = await app.inject(request({ alerts: [...alerts, {}] }));
  t.equal(refused.statusCode, 400);
  t.match(refused.json(), { status: 'error', message: /alerts/ });
  t.equal(store.messages.length, MAX_ALERTS);
  t.ok(Math.max(...store.appends) <= 250, 'others have their turn between parts of it');
});

test('a repeated alert is enqueued each time', async (t) => {
  const { app, store } = await startIntake(t);
  await app.inject(request(payload('alertmanager')));
  await app.inject(request(payload('alertmanager')));
  t.equal(store.messages.length, 4);
  t.equal(store.messages[0]?.once, undefined);
});

test('with deduplication a repeated alert is enqueued once and answered as before, a resolved one is new', async (t) => {
  const app = await startApp(t, { ALERT_DEDUP: '1h' });
  const group = payload('alertmanager');
  const first = await app.inject(request(group));
  const again = await app.inject(request(group));
  t.strictSame(again.json(), first.json());
  const resolved = group.alerts.map((each: object) => ({ ...each, status: 'resolved' }));
  const later = await app.inject(request({ ...group, alerts: resolved }));
  t.not(later.json().results[0].objectId, first.json().results[0].objectId);
  t.equal(later.json().results[1].objectId, first.json().results[1].objectId);
  const summary = await app.inject({ url: '/analytics/summary', headers: authorized });
  t.equal(summary.json().totalMessages, 3);
});

test('without the token the answer is 401, before the body is looked at', async (t) => {
  const app = await startApp(t);
  const response = await app.inject(request('{"broken', { 'content-type': 'application/json' }));
  t.equal(response.statusCode, 401);
  t.strictSame(response.json(), { status: 'error', message: 'Missing Authorization header' });
  const wrong = await app.inject(request([], { ...authorized, authorization: 'Bearer wrong' }));
  t.equal(wrong.statusCode, 401);
  t.match(wrong.json(), { status: 'error' });
});
