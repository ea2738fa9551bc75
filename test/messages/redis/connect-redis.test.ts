import { test } from 'tap';
import { isConnected } from '../../../src/messages/redis/connect-redis.ts';
import { startRedis } from '../../redis/redis-server.ts';
import { connect, connected, soon, startSilent } from './connected-client.ts';

const calls = 500;

test('a command whose answer is lost is not sent again', async (t) => {
  const server = await startRedis(t);
  const { client } = connect(t, server);
  await connected(client);
  server.pause();
  const answers = Promise.allSettled(Array.from({ length: calls }, () => client.incr('calls')));
  client.disconnect(true);
  const rejected = (await answers).filter(({ status }) => status === 'rejected');
  t.equal(rejected.length, calls, 'each call is told that its outcome is unknown');
  server.resume();
  await connected(client);
  t.equal(await client.get('calls'), String(calls), 'the server did them once');
});

test('of commands in flight when the server is killed none is done twice', async (t) => {
  const server = await startRedis(t, { appendonly: 'yes', appendfsync: 'always' });
  const { client } = connect(t, server);
  await connected(client);
  const first = client.incr('calls');
  const others = Promise.allSettled(Array.from({ length: calls - 1 }, () => client.incr('calls')));
  await first;
  await server.kill();
  const done = [await first, ...(await others).filter(({ status }) => status === 'fulfilled')];
  await server.start();
  await connected(client);
  const count = Number(await client.get('calls'));
  t.ok(done.length <= count && count <= calls, `${done.length} ≤ ${count} ≤ ${calls}`);
});

for (const tls of [undefined, {}]) {
  const by = tls === undefined ? 'plain' : 'TLS';
  test(`a server that takes connections and never answers is left, and tried again (${by})`, async (t) => {
    const silent = await startSilent(t);
    const { client, reasons } = connect(t, silent, { ...(tls && { tls }) });
    await t.rejects(client.incr('calls'), 'a command does not wait for the connection');
    await soon(() => silent.connections() >= 3, 'another attempt');
    t.match(reasons()[0], tls === undefined ? /Socket timeout/ : /ETIMEDOUT, the server may not speak TLS/);
    t.equal(reasons().length, 1, 'the reason is told once');
  });
}

test('leaving a connection never ends the client, in whatever state it is', async (t) => {
  const server = await startRedis(t);
  const { client, pauses } = connect(t, server);
  t.equal(client.status, 'connecting');
  client.disconnect(true);
  await connected(client);
  client.disconnect(true);
  client.disconnect(true);
  t.notOk(isConnected(client), 'what is being left counts as gone');
  await soon(() => client.status === 'reconnecting', 'another attempt');
  client.disconnect(true);
  await connected(client);
  await server.kill();
  await soon(() => pauses().length >= 3, 'another attempt');
  client.disconnect(true);
  await server.start();
  await connected(client);
  t.equal(await client.ping(), 'PONG');
});
