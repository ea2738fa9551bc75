import tap, { test } from 'tap';
import { startApp } from '../../app.ts';
import { until } from '../../programs/until.ts';
import { startRedis } from '../../redis/redis-server.ts';
import { someMessage } from '../some-message.ts';
import { fill, total } from './foreign-stream.ts';
import { openRedisStore, standaloneClient, standaloneTarget } from './open-redis-store.ts';

const hour = 3_600_000;
/** Entries of one node of a stream: approximate trimming drops whole nodes. */
const NODE = 100;
/** How long what is over may take to leave, in milliseconds. */
const LEAVE_MS = 30_000;

const server = await startRedis(tap);
const target = standaloneTarget(server);
const client = standaloneClient(server);
tap.teardown(() => client.disconnect());

test('entries older than the retention leave a stream to which nothing is appended any more', async (t) => {
  const now = Date.now();
  for (const ago of [3 * hour, 2 * hour, 30_000, 0]) {
    await client.xadd('idle', `${now - ago}-*`, 'system', 'a', 'severity', 'info');
  }
  const app = await startApp(t, { STREAM_URL: server.url, STREAM_NAME: 'idle', STREAM_RETENTION: '1h' });
  await until(
    async () => (await client.xlen('idle')) === 2,
    LEAVE_MS,
    (cause) => new Error('they never left', { cause }),
  );
  const { body } = await app.inject({
    url: '/analytics/summary?window=all',
    headers: { authorization: 'Bearer test-token' },
  });
  t.match(JSON.parse(body), { totalMessages: 4 }, 'what left was counted before');
});

test('a stream that others fill is cut to its length, and nothing of it goes uncounted', async (t) => {
  const store = await openRedisStore(t, target, { retention: { maxLength: 2000, maxAgeMs: hour } });
  await fill(client, store.stream, 60_000);
  await until(
    async () => (await client.xlen(store.stream)) <= 2000 + NODE,
    LEAVE_MS,
    (cause) => new Error('the stream is never cut', { cause }),
  );
  t.ok((await client.xlen(store.stream)) >= 2000, 'what is to stay stays');
  t.equal(total(await store.counts('all')), 60_000);
});

test('under load a stream stays below its length and what may be uncounted, and no message goes uncounted', async (t) => {
  const store = await openRedisStore(t, target, { retention: { maxLength: 1000, maxAgeMs: hour } });
  let longest = 0;
  for (let i = 0; i < 240; i++) {
    await store.append(Array.from({ length: 500 }, () => someMessage()));
    longest = Math.max(longest, await client.xlen(store.stream));
  }
  t.ok(longest <= 1000 + 100_000 + NODE, `${longest} entries at most`);
  t.equal(total(await store.counts('all')), 120_000);
  await until(
    async () => (await client.xlen(store.stream)) <= 1000 + NODE,
    LEAVE_MS,
    (cause) => new Error('the stream is never cut', { cause }),
  );
});

test('a server that is out of memory is freed by what leaves: all is counted, cut, and taken again', async (t) => {
  const full = await startRedis(t, { 'maxmemory-policy': 'noeviction' });
  const ofFull = standaloneClient(full);
  t.teardown(() => ofFull.disconnect());
  const retention = { maxLength: 100, maxAgeMs: hour };
  const payload = 'x'.repeat(10_000);
  await fill(ofFull, 'full', 2000, () => ['system', 'a', 'severity', 'info', 'payload', payload]);
  await full.cli('CONFIG', 'SET', 'maxmemory', '10mb');
  await t.rejects(full.cli('XADD', 'full', '*', 'a', 'b'), { message: /OOM/ });
  const store = await openRedisStore(t, standaloneTarget(full), { stream: 'full', retention });
  t.equal(total(await store.counts('all')), 2000);
  t.match(await store.append([someMessage()]), [{ ok: true }]);
  t.equal(total(await store.counts('all')), 2001);
});
