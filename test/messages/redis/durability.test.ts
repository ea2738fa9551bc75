import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'tap';
import type { AppendResult } from '../../../src/messages/message-store.ts';
import { listenApp } from '../../app.ts';
import { until } from '../../programs/until.ts';
import { startRedis } from '../../redis/redis-server.ts';
import { someMessage } from '../some-message.ts';
import { checkAccounts, checkCounts, entriesOf } from './accounts.ts';
import { Load } from './load.ts';
import { openRedisStore, standaloneClient, standaloneTarget } from './open-redis-store.ts';

const rounds = 50;
const clients = 16;
/** Messages acknowledged in a round before the server is killed: some more in each round, so that the moment differs. */
const acknowledgedPerRound = (round: number) => 150 + ((round * 37) % 200);
/** How long replicas may take to be in step, and a connection to come back, in milliseconds. */
const CHANGE_MS = 20_000;

test(`a Redis that is killed ${rounds} times under ${clients} clients has every acknowledged message once, and they are counted right`, async (t) => {
  const server = await startRedis(t, { appendonly: 'yes', appendfsync: 'always' });
  const stream = { STREAM_ADDR: server.host, STREAM_PORT: String(server.port), STREAM_ACK: 'fsync' };
  const { url } = await listenApp(t, stream);
  const load = new Load({ urls: [url], clients, keyed: (i) => i % 2 === 0 });
  for (let round = 1; round <= rounds; round++) {
    await load.acknowledges(acknowledgedPerRound(round));
    // In mid-batch as well as between two of them.
    await sleep(round % 7);
    await server.kill();
    await server.start();
    if (round % 10 === 0)
      t.comment(`${round} rounds, ${load.acknowledged.size} acknowledged, ${load.failures} failures`);
  }
  await load.acknowledges(1);
  await load.stop();
  const { acknowledged, unknown, refused } = load;
  t.comment(`${acknowledged.size} acknowledged, ${unknown.size} unknown, ${refused.size} refused`);

  const client = standaloneClient(server);
  t.teardown(() => client.disconnect());
  const entries = await entriesOf(client, 'messages');
  checkAccounts(t, load, entries);
  await checkCounts(t, url, entries);
});

test('a retry that finds its entry waits for the replicas as the first try did', async (t) => {
  const master = await startRedis(t, { 'repl-diskless-sync-delay': '0' });
  const { host, port } = master;
  const replica = await startRedis(t, { replicaof: `${host} ${port}` });
  const inStep = async () => (await master.cli('INFO', 'replication')).includes('state=online');
  await until(inStep, CHANGE_MS, (cause) => new Error('the replica is never in step', { cause }));
  const store = await openRedisStore(t, standaloneTarget(master), { acknowledge: 'replica:1', timeoutMs: 500 });
  const message = someMessage({ once: { key: 'k', ttlMs: 3_600_000 } });
  replica.pause();
  t.match(await store.append([message]), [{ ok: false, reason: /^only 0 of 1 replicas/ }]);

  const connection = async () => /id=\d+(?= .*frontdesk:writer)/.exec(await master.cli('CLIENT', 'LIST'))?.[0];
  const before = await connection();
  await master.cli('CLIENT', 'KILL', 'TYPE', 'normal');
  // Newer servers make a connection wait for what it wrote itself only: this one has written nothing.
  const isNew = async () => ![undefined, before].includes(await connection());
  await until(isNew, CHANGE_MS, (cause) => new Error('the connection never comes back', { cause }));
  let retried: AppendResult | undefined;
  const isThere = async () => {
    [retried] = await store.append([message]);
    return retried?.ok === true || retried?.reason.includes('outcome unknown') === true;
  };
  await until(isThere, CHANGE_MS, (cause) => new Error('the store never writes again', { cause }));
  t.match(retried, { ok: false, reason: /^only 0 of 1 replicas/ });
  replica.resume();
  const acknowledged = async () => (await store.append([message]))[0]?.ok === true;
  await until(acknowledged, CHANGE_MS, (cause) => new Error('never acknowledged', { cause }));
});
