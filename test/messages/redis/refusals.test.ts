import { Redis } from 'ioredis';
import { test } from 'tap';
import { alertOnce } from '../../../src/intake/alert-once.ts';
import { startRedis } from '../../redis/redis-server.ts';
import { appOnRedis, password, toldNoSecret } from './app-on-redis.ts';
import { analyticsAreDown, isDown, isUpAgain } from './is-down.ts';

const secured = { requirepass: password };

test('out of memory Redis refuses messages, and takes them when it has memory again', async (t) => {
  const server = await startRedis(t, { ...secured, 'maxmemory-policy': 'noeviction' });
  const service = await appOnRedis(t, server);
  await service.untilReady();
  await server.cli('CONFIG', 'SET', 'maxmemory', '1');
  await isDown(t, service, /^(.*: )?OOM command not allowed/);
  await server.cli('CONFIG', 'SET', 'maxmemory', '0');
  await isUpAgain(t, service);
  toldNoSecret(t, service);
});

test('a server that becomes a read-only replica is not written to, and is again when it is master again', async (t) => {
  const server = await startRedis(t, secured);
  const service = await appOnRedis(t, server);
  await service.untilReady();
  const first = await service.pitch('stored before', 'key');
  // Of nobody: what it has it keeps.
  await server.cli('REPLICAOF', '127.0.0.1', '1');
  await isDown(t, service, /READONLY You can't write against a read only replica/);
  await analyticsAreDown(t, service);
  await server.cli('REPLICAOF', 'NO', 'ONE');
  await isUpAgain(t, service);
  const again = await service.pitch('stored before', 'key');
  t.same(again.json(), first.json());
  toldNoSecret(t, service);
});

test('with a wrong password the service waits until the server takes it', async (t) => {
  const server = await startRedis(t, secured);
  const later = 'another secret';
  const service = await appOnRedis(t, server, { STREAM_PASSWORD: later });
  await isDown(t, service, /WRONGPASS/);
  await analyticsAreDown(t, service);
  await server.cli('CONFIG', 'SET', 'requirepass', later);
  await isUpAgain(t, service);
  toldNoSecret(t, service, later);
});

test('without the password that the server wants the service waits until it wants none', async (t) => {
  const server = await startRedis(t, secured);
  const service = await appOnRedis(t, server, { STREAM_PASSWORD: '' });
  await isDown(t, service, /NOAUTH Authentication required/);
  await server.cli('CONFIG', 'SET', 'requirepass', '');
  await isUpAgain(t, service);
});

test('a user who may not write to the stream is told by name, and served when he may', async (t) => {
  const server = await startRedis(t, secured);
  await server.cli('ACL', 'SETUSER', 'frontdesk', 'on', `>${password}`, '~frontdesk:*', '+@all');
  const service = await appOnRedis(t, server, { STREAM_USERNAME: 'frontdesk' });
  await isDown(t, service, /NOPERM/);
  await server.cli('ACL', 'SETUSER', 'frontdesk', '~messages');
  await isUpAgain(t, service);
  toldNoSecret(t, service);
});

test('while Redis loads its data the service says so, and serves when that is done', async (t) => {
  const slowly = { 'key-load-delay': '1000', 'loading-process-events-interval-bytes': '1024' };
  const server = await startRedis(t, { ...secured, ...slowly });
  const client = new Redis(server.url);
  await client.mset(new Map(Array.from({ length: 3000 }, (_, i) => [`key-${i}`, 'x'.repeat(100)])));
  client.disconnect();
  await server.cli('SAVE');
  await server.kill();
  const service = await appOnRedis(t, server);
  await service.untilDown(/ECONNREFUSED/);
  const started = server.start();
  await isDown(t, service, /LOADING/);
  await analyticsAreDown(t, service);
  await started;
  await isUpAgain(t, service);
  t.match(service.log(), /LOADING/);
  toldNoSecret(t, service);
});

test('a key of another type by the name of the stream is told, and served past when it is gone', async (t) => {
  const server = await startRedis(t, secured);
  await server.cli('SET', 'messages', 'no stream');
  const service = await appOnRedis(t, server);
  await isDown(t, service, /WRONGTYPE/);
  await server.cli('DEL', 'messages');
  await isUpAgain(t, service);
});

test('of a group of alerts that Redis takes in part only the others are reported as failed', async (t) => {
  const server = await startRedis(t, secured);
  const service = await appOnRedis(t, server, { ALERT_DEDUP: '1h' });
  await service.untilReady();
  const alerts = ['a', 'b', 'c'].map((fingerprint) => ({ fingerprint, labels: { alertname: `Alert ${fingerprint}` } }));
  const { key } = alertOnce({ ...alerts[1] }, undefined, 3_600_000);
  await server.cli('LPUSH', `frontdesk:{messages}:once:${key}`, 'in the way');
  const answer = await service.alert(alerts);
  t.equal(answer.statusCode, 200);
  t.match(answer.json(), {
    status: 'success',
    message: '2 of 3 alerts enqueued',
    results: [{ message: 'Alert Alert a enqueued' }, { message: 'Alert Alert c enqueued' }],
    errors: [/^alert b: .*WRONGTYPE/],
  });
  t.equal(answer.json().errors.length, 1);
  t.equal(await server.cli('XLEN', 'messages'), '2');
});
