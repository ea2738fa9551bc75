import tap, { type Test, test } from 'tap';
import { authorized, startApp } from '../../app.ts';
import { until } from '../../programs/until.ts';
import { type RedisServer, startRedis } from '../../redis/redis-server.ts';
import { startRelay } from '../../redis/relay.ts';
import { appOnRedis } from './app-on-redis.ts';

/** Equal requests sent at once. */
const EQUAL = 10;
const CHANGE_MS = 20_000;

const shared = await startRedis(tap);

const push = { ref: 'refs/heads/main', repository: { full_name: 'acme/shop' } };
const alert = { startsAt: '2026-11-21T10:00:00Z', status: 'firing', labels: { alertname: 'InstanceDown' } };
const alerts = { alerts: ['a', 'b', 'c'].map((fingerprint) => ({ ...alert, fingerprint })) };
const requests = [
  { path: '/pitch', key: 'idempotency-key', headers: {}, payload: { name: 'disk', payload: {} }, entries: 1 },
  ...['x-codehost-delivery', 'x-github-delivery', 'x-gitea-delivery'].map((key) => ({
    ...{ path: '/pitch/codehost', key, headers: { 'x-codehost-event': 'push' }, payload: push, entries: 1 },
  })),
  { path: '/pitch/alerting', key: undefined, headers: {}, payload: alerts, entries: 3 },
];

for (const { path, key, headers, payload, entries } of requests) {
  test(`${EQUAL} equal requests to ${path} at once, by ${key ?? 'what they are about'}, are stored once and answered alike`, async (t) => {
    const stream = `${path}-${key}`;
    const env = { STREAM_URL: shared.url, STREAM_NAME: stream, ALERT_DEDUP: '1h' };
    const app = await startApp(t, env);
    await until(
      async () => (await app.inject('/ready')).statusCode === 200,
      CHANGE_MS,
      (cause) => new Error('the service was never ready', { cause }),
    );
    const send = (value: string) => {
      const all = { ...authorized, ...headers, ...(key !== undefined && { [key]: value }) };
      return app.inject({ method: 'POST', url: path, headers: all, payload });
    };
    const answers = await Promise.all(Array.from({ length: EQUAL }, () => send('one')));
    t.equal(answers[0]?.statusCode, 200);
    t.equal(new Set(answers.map(({ body }) => body)).size, 1);
    t.equal(await shared.cli('XLEN', stream), String(entries));
    t.equal((await send('one')).body, answers[0]?.body, 'nor is it stored when it is sent later');
    const other = await send('two');
    t.equal(other.body === answers[0]?.body, key === undefined, 'another key is another request');
  });
}

test('a request whose answer was lost on the way finds its entry when it is sent again', async (t) => {
  const server = await startRedis(t);
  await losesAnswers(t, server, async () => undefined);
});

test('a request whose answer was lost because Redis was killed finds its entry when it is sent again', async (t) => {
  const server = await startRedis(t, { appendonly: 'yes', appendfsync: 'always' });
  await losesAnswers(t, server, async () => {
    await server.kill();
    await server.start();
  });
});

/** Checks requests whose answers are lost after Redis has written; `outage` is what happens to it then. */
async function losesAnswers(t: Test, server: RedisServer, outage: () => Promise<void>): Promise<void> {
  const relay = await startRelay(t, server);
  const { pitch, untilReady } = await appOnRedis(t, relay, { STREAM_PASSWORD: '' });
  await untilReady();
  relay.holdAnswers();
  const lost = pitch('lost', 'k', { attempt: 1 });
  await until(
    async () => (await server.cli('XLEN', 'messages')) === '1',
    CHANGE_MS,
    (cause) => new Error('it was never written', { cause }),
  );
  await outage();
  const answer = await lost;
  t.equal(answer.statusCode, 503);
  t.match(answer.json().message, /outcome unknown$/);
  relay.passAnswers();
  await untilReady();
  const again = await pitch('lost', 'k', { attempt: 2 });
  t.equal(again.statusCode, 200);
  const entries = await server.cli('XRANGE', 'messages', '-', '+');
  t.match(entries, again.json().objectID);
  t.match(entries, '{"attempt":1}');
  t.equal(await server.cli('XLEN', 'messages'), '1');
}
