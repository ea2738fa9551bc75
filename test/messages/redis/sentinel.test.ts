import { Redis } from 'ioredis';
import tap, { type Test, test } from 'tap';
import { listenApp } from '../../app.ts';
import { until } from '../../programs/until.ts';
import { startSentinel } from '../../redis/redis-sentinel.ts';
import type { RedisServer } from '../../redis/redis-server.ts';
import { redisearch } from '../../redis/redisearch.ts';
import { storeContract } from '../message-store.contract.ts';
import { checkAccounts, checkCounts, checkLost, entriesOf } from './accounts.ts';
import { Load } from './load.ts';
import { redisStores, standaloneClient } from './open-redis-store.ts';

/** How long it may take until all replicas follow the master, in milliseconds. */
const WHOLE_MS = 30_000;

// The servers outlive the tests, and end with this file.
const sentinel = await startSentinel(tap, redisearch === undefined ? {} : { loadmodule: redisearch });
const { name, sentinels, servers, master, masterAfter } = sentinel;
const url = `redis+sentinel://${sentinels.map(({ host, port }) => `${host}:${port}`).join(',')}/${name}`;

storeContract(
  'redis by sentinel',
  redisStores({ kind: 'sentinel', sentinels, name, db: 0 }, () => new Redis({ sentinels, name })),
  redisearch === undefined ? 'RediSearch is not installed' : undefined,
);

test('when the master is killed the service writes to the next one with no restart, and counts right', async (t) => {
  const { app, load } = await startLoad(t, 'killed');
  await load.acknowledges(200);
  const former = await master();
  await former.kill();
  const current = await masterAfter(former);
  const before = new Map(load.acknowledged);
  await load.acknowledges(400);
  await load.stop();

  const entries = await entriesAt(t, current, 'killed');
  checkLost(t, since(load, before), entries);
  t.equal(new Set(entries.map(({ title }) => title)).size, entries.length, 'no message stands there twice');
  await checkCounts(t, app.url, entries);
  await untilWhole(former);
});

test('with STREAM_ACK=replica:2 of 2 replicas no acknowledged message is lost when the master is killed, whichever takes over (of replica:1 the other might)', async (t) => {
  const { app, load } = await startLoad(t, 'acknowledged', { STREAM_ACK: 'replica:2' });
  await load.acknowledges(200);
  const former = await master();
  // From now on the master alone has what it is sent.
  const replicas = servers.filter((server) => server !== former);
  for (const replica of replicas) replica.pause();
  await former.cli('CLIENT', 'KILL', 'TYPE', 'replica');
  await load.fails(8);
  await former.kill();
  for (const replica of replicas) replica.resume();
  const current = await masterAfter(former);
  // Then there are two replicas again.
  await former.start();
  await load.acknowledges(200);
  await load.stop();

  const entries = await entriesAt(t, current, 'acknowledged');
  checkAccounts(t, load, entries);
  await checkCounts(t, app.url, entries);
  await untilWhole(former);
});

for (const acknowledge of ['memory', 'replica:2']) {
  test(`a master that hung, and comes back after the failover, takes no messages that are lost then (${acknowledge})`, async (t) => {
    const stream = `hung-${acknowledge}`;
    const { app, load } = await startLoad(t, stream, { STREAM_ACK: acknowledge });
    await load.acknowledges(200);
    const former = await master();
    former.pause();
    const current = await masterAfter(former);
    const before = new Map(load.acknowledged);
    former.resume();
    await load.acknowledges(400);
    await untilWhole(former);
    await load.acknowledges(200);
    await load.stop();

    const entries = await entriesAt(t, current, stream);
    // What the former master acknowledged by itself just before it hung may be lost with it, unless replicas had to have it.
    if (acknowledge === 'memory') checkLost(t, since(load, before), entries);
    else checkAccounts(t, load, entries);
    await checkCounts(t, app.url, entries);
  });
}

async function startLoad(t: Test, stream: string, env: Record<string, string> = {}) {
  const app = await listenApp(t, { STREAM_URL: url, STREAM_NAME: stream, STREAM_TIMEOUT: '500ms', ...env });
  const load = new Load({ urls: [app.url], clients: 4, keyed: () => true });
  return { app, load };
}

function since(load: Load, before: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...load.acknowledged].filter(([title]) => !before.has(title)));
}

async function entriesAt(t: Test, server: RedisServer, stream: string) {
  const client = standaloneClient(server);
  t.teardown(() => client.disconnect());
  return entriesOf(client, stream);
}

/** Sees to it that `former` runs, and waits until the master has all others as its replicas. */
async function untilWhole(former: RedisServer): Promise<void> {
  if (!former.running) await former.start();
  const isWhole = async () => {
    const state = await (await master()).cli('INFO', 'replication');
    return state.match(/^slave\d+:.*state=online/gm)?.length === servers.length - 1;
  };
  await until(isWhole, WHOLE_MS, (cause) => new Error(`not whole within ${WHOLE_MS} ms`, { cause }));
}
