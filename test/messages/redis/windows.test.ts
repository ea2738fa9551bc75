import fc from 'fast-check';
import tap, { type Test, test } from 'tap';
import type { Message } from '../../../src/messages/message.ts';
import { startRedis } from '../../redis/redis-server.ts';
import { recount, sorted, total } from './foreign-stream.ts';
import { openRedisStore, standaloneClient, standaloneTarget } from './open-redis-store.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

const server = await startRedis(tap);
const client = standaloneClient(server);
tap.teardown(() => client.disconnect());

const open = (t: Test, options: Parameters<typeof openRedisStore>[2] = {}) =>
  openRedisStore(t, standaloneTarget(server), options);

test('counts of any window equal a recount, for entries of any time of the last 40 days', async (t) => {
  const span = 40 * day;
  const now = Date.now();
  const entry = fc.record({
    back: fc.oneof(fc.integer({ min: 0, max: span }), fc.integer({ min: 0, max: 3 * 60 * minute })),
    system: fc.constantFrom('a', 'b', ''),
    severity: fc.constantFrom<Message['severity'][]>('info', 'critical'),
  });
  const windows = fc.array(fc.integer({ min: 0, max: 768 * 60 * minute }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 60 }), windows, fc.nat(60), async (entries, backs, split) => {
      const store = await open(t, { retention: { maxLength: 1_000_000, maxAgeMs: 2 * span } });
      const inOrder = entries.toSorted((a, b) => b.back - a.back);
      for (const part of [inOrder.slice(0, split), inOrder.slice(split)]) {
        for (const { back, system, severity } of part) {
          await client.xadd(store.stream, `${now - back}-*`, 'system', system, 'severity', severity);
        }
        for (const back of backs) {
          const since = Math.floor((now - back) / minute) * minute;
          t.strictSame(sorted(await store.counts(now - back)), await recount(client, store.stream, since));
        }
        t.strictSame(sorted(await store.counts('all')), await recount(client, store.stream));
      }
      await store.close();
    }),
    { numRuns: 25 },
  );
});

test('buckets that no window reaches any more leave', async (t) => {
  const store = await open(t, { retention: { maxLength: 1_000_000, maxAgeMs: 1000 * day } });
  const prefix = `frontdesk:{${store.stream}}:`;
  const now = Date.now();
  const hourOf = (time: number) => Math.floor(time / (60 * minute)) * 60;
  for (const ago of [100 * day, 40 * day, day, 0]) await client.xadd(store.stream, `${now - ago}-*`, 'system', 'a');
  t.equal(total(await store.counts('all')), 4);
  t.strictSame(
    await client.zrange(`${prefix}hours`, '0', '-1'),
    [day, 0].map((ago) => String(hourOf(now - ago))),
  );
  const buckets = (await client.keys(`${prefix}*`)).filter((key) => /:(minute|hour):/.test(key));
  t.ok(buckets.length >= 4);
  for (const key of buckets) {
    const seconds = await client.ttl(key);
    t.ok(seconds > 32 * 86_400 && seconds < 33 * 86_400, `${key} is kept for the longest window and a little`);
  }
});
