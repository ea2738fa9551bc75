import { Redis } from 'ioredis';
import { test } from 'tap';
import { RefusalLog } from '../../../src/messages/redis/refusal-log.ts';
import { runMain } from '../../process.ts';
import { startRedis } from '../../redis/redis-server.ts';
import { appOnRedis, password } from './app-on-redis.ts';
import { isDown, isUpAgain } from './is-down.ts';

const secured = { requirepass: password };
/** How long a process may take to end, in milliseconds; less than it is given before it is ended by force. */
const STOP_MS = 10_000;

test('without the connection for messages the service is not ready, although it can read', async (t) => {
  const server = await startRedis(t, secured);
  const admin = new Redis(server.url);
  t.teardown(() => admin.disconnect());
  const service = await appOnRedis(t, server);
  await service.untilReady();
  await service.untilAnswered('/analytics/summary');
  const clients = String(await admin.client('LIST'));
  const writer = /^id=(\d+) .*name=frontdesk:writer /m.exec(clients)?.[1] ?? 'none';
  // No room for another one when it is gone.
  await admin.pipeline().config('SET', 'maxclients', '2').client('KILL', 'ID', writer).exec();
  await isDown(t, service, /max number of clients reached|ECONNRESET/);
  await service.untilAnswered('/analytics/summary');
  await admin.config('SET', 'maxclients', '100');
  await isUpAgain(t, service);
});

test('a server that cannot acknowledge as it is to is told, and written to as soon as it can', async (t) => {
  const server = await startRedis(t, secured);
  const service = await appOnRedis(t, server, { STREAM_ACK: 'fsync' });
  await isDown(t, service, /STREAM_ACK=fsync needs a server with an append-only file/);
  await server.cli('CONFIG', 'SET', 'appendfsync', 'always', 'appendonly', 'yes');
  await isUpAgain(t, service);
  const told = service.log().match(/messages cannot be stored/g) ?? [];
  t.equal(told.length, 1, 'the reason is told once');
});

test('a service without replicas to acknowledge says so, and serves when there is one', async (t) => {
  const server = await startRedis(t, { 'repl-diskless-sync-delay': '0' });
  const env = { STREAM_ACK: 'replica:1', STREAM_PASSWORD: '', STREAM_TIMEOUT: '2s' };
  const service = await appOnRedis(t, server, env);
  await isDown(t, service, /only 0 of 1 replicas have it so far/);
  await startRedis(t, { replicaof: `${server.host} ${server.port}` });
  await isUpAgain(t, service);
});

test('a process ends in good order while Redis is absent, or hangs', async (t) => {
  const server = await startRedis(t);
  const env = { STREAM_ADDR: server.host, STREAM_PORT: String(server.port), LOG_LEVEL: 'info' };
  for (const fail of [() => server.pause(), () => server.kill()]) {
    const { child, exited, url } = await runMain(t, env);
    await fetch(`${url}/ready`);
    await fail();
    child.kill('SIGTERM');
    const start = performance.now();
    t.equal(await exited, 0);
    t.ok(performance.now() - start < STOP_MS);
  }
});

test('refusals are told once a second for each reason, however many there are, and so is their end', (t) => {
  const lines: object[] = [];
  const log = { error: (line: object) => lines.push(line), info: (line: object) => lines.push(line) };
  const refusals = new RefusalLog(log);
  refusals.stored();
  for (const reason of ['OOM', 'READONLY', 'OOM', 'READONLY', 'OOM']) refusals.refused(10, reason);
  refusals.stored();
  refusals.stored();
  refusals.refused(1, 'OOM');
  t.same(lines, [
    { messages: 10, reason: 'OOM' },
    { messages: 10, reason: 'READONLY' },
    { refused: 50 },
    { messages: 1, reason: 'OOM' },
  ]);
  t.end();
});
