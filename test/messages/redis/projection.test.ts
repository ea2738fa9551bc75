import tap, { type Test, test } from 'tap';
import { MAX_SYSTEMS } from '../../../src/messages/windowed-counts.ts';
import { startRedis } from '../../redis/redis-server.ts';
import { someMessage } from '../some-message.ts';
import { fill, recount, sorted, total } from './foreign-stream.ts';
import { openRedisStore, standaloneClient, standaloneTarget } from './open-redis-store.ts';

const server = await startRedis(tap);
const client = standaloneClient(server);
tap.teardown(() => client.disconnect());

const open = (t: Test, options: Parameters<typeof openRedisStore>[2] = {}) =>
  openRedisStore(t, standaloneTarget(server), options);

test("entries that others write count with the store's own, whatever their fields are", async (t) => {
  const store = await open(t);
  const { stream } = store;
  await server.cli('XADD', stream, '*', 'system', 'cron', 'severity', 'error', 'title', 'by redis-cli');
  await server.cli('XADD', stream, '*', 'colour', 'red');
  await store.append([someMessage({ system: 'ours', severity: 'critical' })]);
  const labels: [system: string, severity: string][] = [
    ['', ''],
    ['a\0b', 'info'],
    ['a\nb', 'info'],
    ['b', 'info\na'],
    ['__proto__', 'constructor'],
    ['ü🎲', 'FATAL'],
  ];
  for (const [system, severity] of labels) await client.xadd(stream, '*', 'severity', severity, 'system', system);
  t.strictSame(
    sorted(await store.counts('all')),
    sorted([
      { system: 'cron', severity: 'error', count: 1 },
      { system: '', severity: 'info', count: 1 },
      { system: 'ours', severity: 'critical', count: 1 },
      { system: '', severity: '', count: 1 },
      { system: 'a\0b', severity: 'info', count: 1 },
      { system: 'a\nb', severity: 'info', count: 1 },
      // A severity is one line.
      { system: 'b', severity: 'info a', count: 1 },
      { system: '__proto__', severity: 'constructor', count: 1 },
      { system: 'ü🎲', severity: 'FATAL', count: 1 },
    ]),
  );
});

test('an entry that somebody else trims before it is counted is the only one that is not counted', async (t) => {
  const store = await open(t);
  await store.append(Array.from({ length: 300 }, () => someMessage()));
  t.equal(total(await store.counts('all')), 300);
  await client.xtrim(store.stream, 'MAXLEN', 0);
  t.equal(total(await store.counts('all')), 300, 'what was counted stays so');

  // In one transaction, so that nothing can be counted between the two.
  const [added = '', dropped = ''] = ['5000000000000-1', '5000000000000-0'];
  await client
    .multi()
    .xadd(store.stream, dropped, 'system', 'dropped')
    .xadd(store.stream, added, 'system', 'added')
    .xtrim(store.stream, 'MAXLEN', 1)
    .exec();
  t.equal(total(await store.counts('all')), 301);
});

test('four stores that append and count at once count each message once', async (t) => {
  const stream = 'shared';
  const stores = await Promise.all(Array.from({ length: 4 }, () => open(t, { stream })));
  const seen: number[] = [];
  const work = stores.map(async (store, i) => {
    for (let round = 0; round < 50; round++) {
      const messages = Array.from({ length: 20 }, () => someMessage({ system: `system-${(i + round) % 5}` }));
      const [, counts] = await Promise.all([store.append(messages), store.counts('all')]);
      seen.push(total(counts));
    }
  });
  await Promise.all([...work, fill(client, stream, 3000)]);
  const expected = await recount(client, stream);
  t.equal(total(expected), 4 * 50 * 20 + 3000);
  for (const store of stores) t.strictSame(sorted(await store.counts('all')), expected);
  t.ok(seen.every((count) => count <= total(expected)));
});

test('a store that is opened on the same stream again goes on counting where the last one stopped', async (t) => {
  const first = await open(t);
  const { stream } = first;
  await first.append([someMessage(), someMessage()]);
  t.equal(total(await first.counts('all')), 2);
  await first.close();
  await client.xadd(stream, '*', 'system', 'meanwhile');
  await client.xtrim(stream, 'MAXLEN', 1);
  const second = await open(t, { stream });
  await second.append([someMessage()]);
  t.equal(total(await second.counts('all')), 4);
});

test('systems beyond the limit are counted together, and the status says how many messages that were', async (t) => {
  const store = await open(t);
  await fill(client, store.stream, MAX_SYSTEMS + 25, (i) => ['system', `system-${i}`, 'severity', 'info']);
  const counts = await store.counts('all');
  t.equal(total(counts), MAX_SYSTEMS + 25);
  t.match(
    counts.filter(({ count }) => count > 1),
    [{ system: '(other)', severity: 'info', count: 25 }],
  );
  t.match(await store.status(), { ready: true, details: { countedAsOther: 25, maxSystems: MAX_SYSTEMS } });
});
