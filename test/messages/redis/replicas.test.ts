import tap, { type Test, test } from 'tap';
import { authorized, listenApp } from '../../app.ts';
import { startRedis } from '../../redis/redis-server.ts';
import { checkAccounts, checkCounts, entriesOf } from './accounts.ts';
import { Load } from './load.ts';
import { standaloneClient } from './open-redis-store.ts';

/** Equal requests sent at once, every other to the same instance. */
const EQUAL = 10;

// The server outlives the tests, and ends with this file.
const server = await startRedis(tap);

test('two instances count one stream at the same time, under load, and both are right', async (t) => {
  const { urls, entries } = await startTwo(t, 'counted');
  const load = new Load({ urls, clients: 8, keyed: (i) => i % 2 === 0 });
  let running = true;
  const readers = urls.map(async (url) => {
    for (let last = 0; running; ) {
      const response = await fetch(`${url}/analytics/summary?window=all`, { headers: authorized });
      const total = Number(/"totalMessages":(\d+)/.exec(await response.text())?.[1]);
      if (!(total >= last)) throw new Error(`counted ${total} after ${last}`);
      last = total;
    }
  });
  try {
    await load.acknowledges(3000);
    await load.stop();
  } finally {
    running = false;
  }
  await Promise.all(readers);

  t.equal(load.failures, 0);
  checkAccounts(t, load, await entries());
  for (const url of urls) await checkCounts(t, url, await entries());
});

test('what one instance acknowledged the other one counts at once', async (t) => {
  const { urls } = await startTwo(t, 'read');
  for (let total = 1; total <= 20; total++) {
    const [written, read] = total % 2 === 0 ? urls : urls.toReversed();
    await fetch(`${written}/pitch`, { method: 'POST', headers: authorized, body: '{"name":"a","payload":{}}' });
    const response = await fetch(`${read}/analytics/summary`, { headers: authorized });
    t.match(await response.json(), { totalMessages: total });
  }
});

const alerts = JSON.stringify({
  receiver: 'team',
  alerts: ['a', 'b', 'c'].map((fingerprint) => ({ fingerprint, startsAt: '2026-11-21T10:00:00Z', status: 'firing' })),
});
const requests = [
  {
    kind: 'messages with one Idempotency-Key',
    path: '/pitch',
    headers: { 'idempotency-key': 'k' },
    body: '{"name":"disk","payload":{"title":"Disk full"}}',
    entries: 1,
  },
  {
    kind: 'deliveries of a code host with one id',
    path: '/pitch/codehost',
    headers: { 'x-github-event': 'push', 'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958' },
    body: '{"ref":"refs/heads/main","repository":{"full_name":"acme/shop"}}',
    entries: 1,
  },
  {
    kind: 'payloads of three alerts, with ALERT_DEDUP,',
    path: '/pitch/alerting',
    headers: {},
    body: alerts,
    entries: 3,
  },
];

for (const { kind, path, headers, body, entries: expected } of requests) {
  test(`${EQUAL} equal ${kind} sent to two instances at once are stored once and answered alike`, async (t) => {
    const { urls, entries } = await startTwo(t, path, { ALERT_DEDUP: '1h' });
    const answers = await Promise.all(
      Array.from({ length: EQUAL }, async (_, i) => {
        const url = `${urls[i % urls.length]}${path}`;
        const response = await fetch(url, { method: 'POST', headers: { ...authorized, ...headers }, body });
        return { status: response.status, body: await response.text() };
      }),
    );
    t.match(answers[0], { status: 200 });
    t.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1, 'one answer');
    const stored = await entries();
    t.equal(stored.length, expected);
    for (const { id } of stored) t.match(answers[0]?.body, id);
    for (const url of urls) await checkCounts(t, url, stored);
  });
}

async function startTwo(t: Test, stream: string, env: Record<string, string> = {}) {
  const ofRedis = { STREAM_ADDR: server.host, STREAM_PORT: String(server.port), STREAM_NAME: stream };
  const apps = [await listenApp(t, { ...ofRedis, ...env }), await listenApp(t, { ...ofRedis, ...env })];
  const client = standaloneClient(server);
  t.teardown(() => client.disconnect());
  return { urls: apps.map(({ url }) => url), entries: () => entriesOf(client, stream) };
}
