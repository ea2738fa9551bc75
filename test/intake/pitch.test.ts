import { test } from 'tap';
import { authorized, startApp } from '../app.ts';
import { startIntake } from './intake-app.ts';
import { nowIso } from './now.ts';
import { recordingStore } from './recording-store.ts';

const pitch = {
  name: 'nightly-backup',
  repository: 'acme/backup',
  payload: { title: 'Backup done', severity: 'success' },
};
const request = (body: unknown, headers: Record<string, string> = authorized) => ({
  method: 'POST' as const,
  url: '/pitch',
  headers,
  payload: typeof body === 'string' ? body : JSON.stringify(body),
});

test('a pitch is enqueued, answered with its stream entry id, and counted', async (t) => {
  const app = await startApp(t);
  const response = await app.inject(request(pitch));
  t.equal(response.statusCode, 200);
  t.equal(response.headers['content-type'], 'application/json; charset=utf-8');
  t.strictSame(response.json(), { status: 'success', message: 'Message enqueued', objectID: response.json().objectID });
  t.match(response.json().objectID, /^\d+-\d+$/);
  const summary = await app.inject({ url: '/analytics/summary', headers: authorized });
  t.match(summary.json(), { totalMessages: 1, severityCounts: { success: 1 } });
});

test('the record of a pitch reaches the store whole, in one append', async (t) => {
  const { app, store } = await startIntake(t);
  await app.inject(request(pitch));
  t.strictSame(store.appends, [1]);
  t.strictSame(store.messages, [
    {
      title: 'Backup done',
      message: JSON.stringify(pitch.payload),
      severity: 'success',
      timestamp: nowIso,
      system: 'acme/backup',
      url: '',
      tags: '',
      source: 'pitch',
      name: 'nightly-backup',
      repository: 'acme/backup',
      payload: JSON.stringify(pitch.payload),
    },
  ]);
});

test('a repository is not needed', async (t) => {
  const app = await startApp(t);
  t.equal((await app.inject(request({ name: 'n', payload: {} }))).statusCode, 200);
});

test('a name of 256 code points is taken', async (t) => {
  const app = await startApp(t);
  t.equal((await app.inject(request({ name: '🎲'.repeat(256), payload: {} }))).statusCode, 200);
});

const refused: [string, unknown, RegExp][] = [
  ['a missing name', { payload: {} }, /name/],
  ['an empty name', { name: '', payload: {} }, /name/],
  ['a name of 257 characters', { name: 'x'.repeat(257), payload: {} }, /name/],
  ['a name that is a number', { name: 5, payload: {} }, /name must be string/],
  ['a missing payload', { name: 'n' }, /payload/],
  ['a payload that is text', { name: 'n', payload: 'x' }, /payload must be object/],
  ['a payload that is a list', { name: 'n', payload: [] }, /payload must be object/],
  ['a payload that is null', { name: 'n', payload: null }, /payload must be object/],
  ['a repository that is a list', { name: 'n', repository: ['r'], payload: {} }, /repository must be string/],
  ['a repository of 257 characters', { name: 'n', repository: 'r'.repeat(257), payload: {} }, /repository/],
  ['a repository that is null', { name: 'n', repository: null, payload: {} }, /repository must be string/],
  ['an unknown field', { name: 'n', payload: {}, severity: 'error' }, /severity/],
  ['several misfits at once', { name: 5, payload: 'x', colour: 1 }, /(?=.*name)(?=.*payload)(?=.*colour)/],
  ['a list', [], /body must be object/],
  ['text', '"x"', /body must be object/],
  ['null', 'null', /body must be object/],
  ['broken JSON', '{"name":', /invalid request body/],
  ['nothing', '', /invalid request body/],
];
for (const [what, body, message] of refused) {
  test(`${what} is refused with 400 and the message says what is wrong`, async (t) => {
    const { app, store } = await startIntake(t);
    const response = await app.inject(request(body));
    t.equal(response.statusCode, 400);
    t.match(response.json(), { status: 'error', message });
    t.strictSame(store.appends, []);
  });
}

test('a __proto__ key in the payload is kept like any other', async (t) => {
  const { app, store } = await startIntake(t);
  const payload = '{"__proto__":{"a":1},"constructor":{"prototype":{}}}';
  const response = await app.inject(request(`{"name":"n","payload":${payload}}`));
  t.equal(response.statusCode, 200);
  t.equal(store.messages[0]?.payload, payload);
});

test('the real application refuses an unknown field as well, rather than drop it', async (t) => {
  const app = await startApp(t);
  const response = await app.inject(request({ ...pitch, colour: 'red' }));
  t.equal(response.statusCode, 400);
  t.match(response.json(), { status: 'error', message: /colour/ });
});

test('a body with fifty thousand unknown fields gets a short answer', async (t) => {
  const app = await startApp(t);
  const fields = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`x${i}`, 0]));
  const response = await app.inject(request({ ...fields, ['y'.repeat(100_000)]: 0 }));
  t.equal(response.statusCode, 400);
  t.ok(response.body.length < 10_000);
});

test('without an Authorization header the answer is 401, before the body is looked at', async (t) => {
  const app = await startApp(t);
  for (const body of [pitch, '{"broken', { name: 5 }]) {
    const response = await app.inject(request(body, { 'content-type': 'application/json' }));
    t.equal(response.statusCode, 401);
    t.strictSame(response.json(), { status: 'error', message: 'Missing Authorization header' });
  }
});

test('with another token, or another scheme, the answer is 401', async (t) => {
  const app = await startApp(t);
  for (const authorization of ['Bearer wrong', 'Bearer ', 'Basic dGVzdC10b2tlbg==', 'test-token']) {
    const response = await app.inject(request(pitch, { ...authorized, authorization }));
    t.equal(response.statusCode, 401);
    t.match(response.json(), { status: 'error', message: /\w/ });
  }
});

test('a body of another media type is refused with 415', async (t) => {
  const app = await startApp(t);
  const response = await app.inject(
    request('name=n', { ...authorized, 'content-type': 'application/x-www-form-urlencoded' }),
  );
  t.equal(response.statusCode, 415);
  t.match(response.json(), { status: 'error', message: /application\/json/ });
});

test('a body over the limit is refused with 413', async (t) => {
  const app = await startApp(t, { MAX_BODY_BYTES: '1024' });
  const response = await app.inject(request({ name: 'n', payload: { text: 'x'.repeat(1024) } }));
  t.equal(response.statusCode, 413);
  t.match(response.json(), { status: 'error' });
});

test('the same Idempotency-Key gets the first answer again, and enqueues nothing', async (t) => {
  const app = await startApp(t);
  const headers = { ...authorized, 'idempotency-key': 'order-1' };
  const first = await app.inject(request(pitch, headers));
  const again = await app.inject(request({ ...pitch, name: 'another' }, headers));
  t.strictSame(again.json(), first.json());
  const other = await app.inject(request(pitch, { ...headers, 'idempotency-key': 'order-2' }));
  t.not(other.json().objectID, first.json().objectID);
  const summary = await app.inject({ url: '/analytics/summary', headers: authorized });
  t.equal(summary.json().totalMessages, 2);
});

test('an Idempotency-Key holds for a day, and for pitches alone', async (t) => {
  const { app, store } = await startIntake(t);
  await app.inject(request(pitch, { ...authorized, 'idempotency-key': 'k' }));
  t.strictSame(store.messages[0]?.once, { key: 'pitch:k', ttlMs: 86_400_000 });
});

test('an Idempotency-Key of 255 visible ASCII characters is taken', async (t) => {
  const app = await startApp(t);
  const headers = { ...authorized, 'idempotency-key': '~'.repeat(255) };
  t.equal((await app.inject(request(pitch, headers))).statusCode, 200);
});

for (const key of ['', 'k'.repeat(256), 'two words', 'käse']) {
  test(`the Idempotency-Key "${key.slice(0, 20)}" of ${key.length} characters is refused with 400`, async (t) => {
    const { app, store } = await startIntake(t);
    const response = await app.inject(request(pitch, { ...authorized, 'idempotency-key': key }));
    t.equal(response.statusCode, 400);
    t.match(response.json(), { status: 'error', message: /idempotency-key/ });
    t.strictSame(store.appends, []);
  });
}

test('a store that is away is told with 503 and when to try again', async (t) => {
  const { app } = await startIntake(t, { store: recordingStore(() => 'connection lost') });
  const response = await app.inject(request(pitch));
  t.equal(response.statusCode, 503);
  t.match(response.headers['retry-after'], /^[1-9]\d*$/);
  t.strictSame(response.json(), {
    status: 'error',
    message: 'Failed to enqueue the message to the stream store: connection lost',
  });
});

test('a pitch that failed can be sent again under the same key', async (t) => {
  let away = true;
  const { app, store } = await startIntake(t, { store: recordingStore(() => (away ? 'connection lost' : undefined)) });
  const headers = { ...authorized, 'idempotency-key': 'k' };
  t.equal((await app.inject(request(pitch, headers))).statusCode, 503);
  away = false;
  t.equal((await app.inject(request(pitch, headers))).statusCode, 200);
  t.equal(store.messages.length, 1);
});

test('any other method is answered with 405', async (t) => {
  const app = await startApp(t);
  const response = await app.inject({ method: 'GET', url: '/pitch' });
  t.equal(response.statusCode, 405);
  t.strictSame(response.json(), { error: 'method not allowed' });
});
