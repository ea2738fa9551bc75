import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { connect } from 'node:tls';
import { Redis } from 'ioredis';
import { test } from 'tap';
import { startCluster } from './redis-cluster.ts';
import { startSentinel } from './redis-sentinel.ts';
import { type RedisServer, startRedis } from './redis-server.ts';
import { redisearch } from './redisearch.ts';
import { makeCertificates } from './tls.ts';

test('a server answers, and rejects what Redis calls an error', async (t) => {
  const server = await startRedis(t, { requirepass: 'p@ss/word', maxmemory: '20mb' });
  t.equal(await server.cli('ECHO', 'two\nlines'), 'two\nlines');
  t.match(await server.cli('CONFIG', 'GET', 'maxmemory'), '20971520');
  await t.rejects(server.cli('XADD', 'messages'), { message: /wrong number of arguments/ });
  const client = new Redis(server.url);
  t.equal(await client.ping(), 'PONG', 'its URL holds the password');
  client.disconnect();
});

test('a killed server starts again on its port with what it made durable', async (t) => {
  const server = await startRedis(t, { appendonly: 'yes', appendfsync: 'always' });
  const { port, pid } = server;
  const id = await server.cli('XADD', 'messages', '*', 'title', 'Disk full');
  await server.kill();
  t.notOk(server.running);
  await t.rejects(server.cli('PING'), { message: /Connection refused/ });
  await server.start();
  t.equal(server.port, port);
  t.not(server.pid, pid);
  t.equal(await server.cli('XRANGE', 'messages', '-', '+'), `${id}\ntitle\nDisk full`);
  await server.stop();
  t.notOk(server.running, 'it also ends in good order');
});

test('a paused server answers when it is resumed', async (t) => {
  const server = await startRedis(t);
  const client = new Redis(server.url);
  t.teardown(() => client.disconnect());
  await client.ping();
  server.pause();
  let answered = false;
  const answer = client.ping().finally(() => {
    answered = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  t.notOk(answered);
  server.resume();
  t.equal(await answer, 'PONG');
});

test('a server goes with its test, paused or not, and its folder too', async (t) => {
  const servers: RedisServer[] = [];
  await t.test('a test that leaves it paused', async (inner) => {
    const server = await startRedis(inner);
    server.pause();
    servers.push(server);
  });
  for (const { running, dir } of servers) {
    t.notOk(running);
    await t.rejects(stat(dir), { code: 'ENOENT' });
  }
  t.equal(servers.length, 1);
});

test('a server that cannot start says why', async (t) => {
  await t.rejects(startRedis(t, { loadmodule: '/missing.so' }), { message: /missing\.so: cannot open shared object/ });
  await t.rejects(startRedis(t, { nonsense: 'yes' }), { message: /Bad directive/ });
});

test('without the program it is told which package brings it', async (t) => {
  const { PATH } = process.env;
  process.env.PATH = t.testdir();
  t.teardown(() => {
    process.env.PATH = PATH;
  });
  await t.rejects(startRedis(t), { message: /redis-server is not installed.*apt-get install redis-server/ });
});

test('a server searches with RediSearch', { skip: redisearch === undefined && 'not installed' }, async (t) => {
  const server = await startRedis(t, { loadmodule: redisearch ?? '' });
  await server.cli('FT.CREATE', 'words', 'SCHEMA', 'title', 'TEXT');
  await server.cli('FT.ADD', 'words', '1-0', '1', 'FIELDS', 'title', 'Disk almost full');
  t.match(await server.cli('FT.SEARCH', 'words', 'almost'), /^1\n1-0\n/);
});

test('a server speaks TLS only, with a certificate of its authority', async (t) => {
  const certificates = await makeCertificates(t);
  const server = await startRedis(t, certificates.settings);
  t.match(server.url, /^rediss:/);
  t.equal(await server.cli('PING'), 'PONG');
  const client = new Redis(server.url, { tls: { ca: readFileSync(certificates.ca) } });
  t.equal(await client.ping(), 'PONG');
  client.disconnect();
  const stranger = connect({ host: server.host, port: server.port });
  const error = await new Promise((resolve) => stranger.once('error', resolve));
  t.match(error, { code: /UNABLE_TO_VERIFY|SELF_SIGNED/ });
});

test('sentinels make a replica the master when the master is killed', async (t) => {
  const { name, sentinels, servers, master, masterAfter } = await startSentinel(t);
  const former = await master();
  t.equal(former, servers[0]);
  const client = new Redis({ name, sentinels });
  client.on('error', () => undefined);
  t.teardown(() => client.disconnect());
  await client.set('key', 'of the former');
  t.equal(await client.wait(2, 5000), 2);
  await former.kill();
  const current = await masterAfter(former);
  t.not(current, former);
  t.equal(await client.get('key'), 'of the former');
  t.equal(await client.set('key', 'of the current'), 'OK');
  t.equal(await current.cli('GET', 'key'), 'of the current');
});

test('a cluster moves the slot of a key with all keys in it', async (t) => {
  const { servers, ownerOf, moveSlotOf } = await startCluster(t);
  const former = await ownerOf('{messages}');
  await former.cli('XADD', '{messages}', '1-1', 'title', 'Disk full');
  await former.cli('SET', '{messages}:counts', '1');
  const { from, to } = await moveSlotOf('{messages}', async () => {
    await t.rejects(former.cli('GET', '{messages}:counts'), { message: /ASK \d+ 127\.0\.0\.1:\d+/ });
  });
  t.equal(from, former);
  t.equal(await ownerOf('{messages}'), to);
  t.equal(await to.cli('XRANGE', '{messages}', '-', '+'), '1-1\ntitle\nDisk full');
  t.equal(await to.cli('GET', '{messages}:counts'), '1');
  for (const server of servers.filter((other) => other !== to)) {
    await t.rejects(server.cli('GET', '{messages}:counts'), { message: /MOVED/ });
  }
});
