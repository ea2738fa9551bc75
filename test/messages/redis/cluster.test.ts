import { Cluster } from 'ioredis';
import tap, { type Test, test } from 'tap';
import { Reader } from '../../../src/messages/redis/reader.ts';
import { RedisCounts } from '../../../src/messages/redis/redis-counts.ts';
import { redisKeys } from '../../../src/messages/redis/redis-keys.ts';
import { listenApp } from '../../app.ts';
import { until } from '../../programs/until.ts';
import { startCluster } from '../../redis/redis-cluster.ts';
import { redisearch } from '../../redis/redisearch.ts';
import { storeContract } from '../message-store.contract.ts';
import { someMessage } from '../some-message.ts';
import { checkAccounts, checkCounts, entriesOf } from './accounts.ts';
import { addReplica, moveOnly } from './cluster-steps.ts';
import { Load } from './load.ts';
import { openRedisStore, redisStores } from './open-redis-store.ts';

/** Times that the stream moves to another node under load. */
const moves = 4;
/** How long the nodes may take to agree on something, in milliseconds. */
const AGREE_MS = 30_000;
/** How long counting may take to go on after a move, in milliseconds. */
const COUNT_MS = 20_000;
/** How long the service may take to follow a stream that has moved, in milliseconds. */
const FOLLOW_MS = 5000;
const hourMs = 3_600_000;

// The servers outlive the tests, and end with this file.
const search = redisearch === undefined ? {} : { loadmodule: redisearch };
const { nodes, servers, ownerOf, moveSlotOf } = await startCluster(tap, { appendonly: 'yes', ...search });
const target = { kind: 'cluster' as const, nodes };
const url = `redis+cluster://${nodes.map(({ host, port }) => `${host}:${port}`).join(',')}`;

storeContract(
  'redis cluster',
  redisStores(target, () => new Cluster(nodes)),
  'RediSearch 1 keeps an index on the node of its own name, which need not be the node of the stream',
);

test('a search index that the nodes cannot keep is reported, and intake goes on', async (t) => {
  const { app, load } = await startLoad(t, 'searched', { STREAM_SEARCH_INDEX: 'messages_idx' });
  await load.acknowledges(100);
  const isReported = async () => {
    const ready = await (await fetch(`${app.url}/ready`)).text();
    return /"messages_idx: not up to date, (?!not looked at yet)/.test(ready);
  };
  await until(isReported, COUNT_MS, (cause) => new Error('the index is never reported', { cause }));
  t.equal((await fetch(`${app.url}/ready`)).status, 200, 'messages are taken all the same');
  await load.acknowledges(100);
  await load.stop();

  const entries = await entriesIn(t, 'searched');
  checkAccounts(t, load, entries);
  await checkCounts(t, app.url, entries);
});

test('while the stream moves from node to node no acknowledged message is lost, none stands there twice, and counts are right', async (t) => {
  const { app, load } = await startLoad(t, 'moved');
  for (let move = 0; move < moves; move++) {
    await load.acknowledges(500);
    const { from, to } = await moveSlotOf('moved', () => load.fails(8));
    t.not(from, to);
  }
  await load.acknowledges(500);
  await load.stop();
  t.comment(`${load.acknowledged.size} acknowledged, ${load.failures} failures`);

  const entries = await entriesIn(t, 'moved');
  checkAccounts(t, load, entries);
  t.equal(load.unknown.size, 0, 'no outcome is unknown: each node told whether it did what it was asked');
  await checkCounts(t, app.url, entries);
});

test('counts stand still while buckets are on their way to another node, and are right after that', async (t) => {
  const now = Date.UTC(2026, 10, 21, 10, 30, 20);
  const stream = 'under-way';
  const store = await openRedisStore(t, target, { stream, clock: () => now, entryId: () => `${now}-*` });
  await store.append([someMessage()]);
  await store.counts('all');

  const { from, to } = await nextMove(stream);
  const hour = Math.floor(now / hourMs) * 60;
  await moveOnly(redisKeys(stream).hour(hour), from, to);
  t.match(await store.append([someMessage()]), [{ ok: true }]);
  await t.rejects(store.counts('all'), 'what is not all there is not counted');
  const client = new Cluster(nodes);
  t.teardown(() => client.disconnect());
  const buckets = new RedisCounts(new Reader(client, COUNT_MS), redisKeys(stream), async () => '0-0');
  await t.rejects(buckets.between(hour - 60, hour + 60), 'nor read');
  await moveSlotOf(stream);

  for (const since of ['all', now - 60_000, now - hourMs] as const) {
    const isRight = async () => (await store.counts(since))[0]?.count === 2;
    await until(isRight, COUNT_MS, (cause) => new Error(`the counts since ${since} are never right`, { cause }));
  }
});

test('while the node of the stream is down requests are refused, and it goes on without a restart when it is back', async (t) => {
  const { app, load } = await startLoad(t, 'killed');
  await load.acknowledges(500);
  const owner = await ownerOf('killed');
  await owner.kill();
  await load.fails(50);
  const other = servers.find((server) => server !== owner) ?? owner;
  const isNoticed = async () => (await other.cli('CLUSTER', 'INFO')).includes('cluster_state:fail');
  await until(isNoticed, AGREE_MS, (cause) => new Error('the cluster never notices', { cause }));
  await load.fails(50);
  await owner.start();
  await load.acknowledges(500);
  await load.stop();

  const entries = await entriesIn(t, 'killed');
  checkAccounts(t, load, entries);
  await checkCounts(t, app.url, entries);
});

test('with STREAM_ACK=replica:1 the service follows a stream that has moved as well', async (t) => {
  const { from, to } = await nextMove('replicated');
  for (const master of [from, to]) await addReplica(t, master);
  const { app, load } = await startLoad(t, 'replicated', { STREAM_ACK: 'replica:1' });
  await load.acknowledges(100);
  await moveSlotOf('replicated');
  const moved = performance.now();
  await load.acknowledges(100);
  t.ok(performance.now() - moved < FOLLOW_MS, `within ${FOLLOW_MS} ms`);
  await load.stop();

  const entries = await entriesIn(t, 'replicated');
  checkAccounts(t, load, entries);
  await checkCounts(t, app.url, entries);
});

/** Between which nodes `moveSlotOf` would move `key` now. */
async function nextMove(key: string) {
  const from = await ownerOf(key);
  return { from, to: servers[(servers.indexOf(from) + 1) % servers.length] ?? from };
}

/** Every other message has an idempotency key. */
async function startLoad(t: Test, stream: string, env: Record<string, string> = {}) {
  const app = await listenApp(t, { STREAM_URL: url, STREAM_NAME: stream, ...env });
  const load = new Load({ urls: [app.url], clients: 8, keyed: (i) => i % 2 === 0 });
  return { app, load };
}

async function entriesIn(t: Test, stream: string) {
  const client = new Cluster(nodes);
  t.teardown(() => client.disconnect());
  return entriesOf(client, stream);
}
