import tap, { type Test, test } from 'tap';
import { parseAckMode } from '../../../src/messages/redis/acknowledgement.ts';
import { until } from '../../programs/until.ts';
import { type RedisServer, startRedis } from '../../redis/redis-server.ts';
import { appOnRedis } from './app-on-redis.ts';

/** `STREAM_TIMEOUT`, in milliseconds: more than the second that a server may take to flush. */
const TIMEOUT_MS = 3000;
/** An answer is here by then: the time limit, and a lot for a busy machine. */
const ANSWER_MS = TIMEOUT_MS + 2000;
const CHANGE_MS = 20_000;

const shared = await startRedis(tap);
const knowsWaitAof = (await shared.cli('COMMAND', 'INFO', 'WAITAOF')) !== '';
const withoutWaitAof = knowsWaitAof && 'this server has WAITAOF';
const withWaitAof = !knowsWaitAof && 'this server has no WAITAOF';

test('a mode that there is not is refused', (t) => {
  t.equal(parseAckMode('memory'), 'memory');
  t.equal(parseAckMode('fsync'), 'fsync');
  t.equal(parseAckMode('replica:2'), 'replica:2');
  for (const text of ['', 'disk', 'replica', 'replica:', 'replica:-1']) t.throws(() => parseAckMode(text));
  t.end();
});

test('acknowledged by memory a message asks for no disk and no replica', async (t) => {
  const { pitch } = await start(t, shared, 'memory');
  t.match(await pitch('one'), { statusCode: 200 });
  const used = await shared.cli('INFO', 'commandstats');
  t.notMatch(used, /cmdstat_wait/);
});

test('acknowledged by fsync a message is taken by a server that flushes always', async (t) => {
  const server = await startRedis(t, { appendonly: 'yes', appendfsync: 'always' });
  const { pitch, untilReady } = await start(t, server, 'fsync');
  await untilReady();
  t.match(await pitch('one'), { statusCode: 200 });
});

test('fsync of a server without an append-only file is refused, and the reason is told', async (t) => {
  const server = await startRedis(t);
  await isRefused(t, server, /^STREAM_ACK=fsync needs a server with an append-only file: appendonly yes$/);
});

test('fsync of a server that cannot wait for its disk is refused', { skip: withoutWaitAof }, async (t) => {
  const server = await startRedis(t, { appendonly: 'yes', appendfsync: 'everysec' });
  await isRefused(t, server, /^STREAM_ACK=fsync needs WAITAOF .*, or a server with appendfsync always$/);
});

test('fsync of a server that flushes each second waits for it', { skip: withWaitAof }, async (t) => {
  const server = await startRedis(t, { appendonly: 'yes', appendfsync: 'everysec' });
  const { pitch, untilReady } = await start(t, server, 'fsync');
  await untilReady();
  t.match(await pitch('one', 'first'), { statusCode: 200 });
  await server.cli('CONFIG', 'SET', 'appendfsync', 'no');
  const failed = await pitch('two', 'second');
  t.equal(failed.statusCode, 503);
  t.match(failed.json().message, /it is not on disk so far, outcome unknown$/);
  t.match(await pitch('two', 'second'), { statusCode: 503 }, 'nor is it when it is sent again');
  await server.cli('CONFIG', 'SET', 'appendfsync', 'everysec');
  await until(
    async () => (await pitch('two', 'second')).statusCode === 200,
    CHANGE_MS,
    (cause) => new Error('never acknowledged', { cause }),
  );
  t.equal(await server.cli('XLEN', 'messages'), '2');
});

test('a message waits for its replicas: as many as asked for, no longer than the time limit', async (t) => {
  const master = await startRedis(t, { 'repl-diskless-sync-delay': '0' });
  const replicas = [await startReplica(t, master), await startReplica(t, master)];
  await inStep(master, 2);
  const { pitch, untilReady, log } = await start(t, master, 'replica:2');
  await untilReady();
  const first = await pitch('one');
  t.equal(first.statusCode, 200);
  for (const replica of replicas) t.match(await replica.cli('XRANGE', 'messages', '-', '+'), first.json().objectID);

  replicas[1]?.pause();
  const sent = performance.now();
  const failed = await pitch('two', 'k');
  t.ok(performance.now() - sent < ANSWER_MS, 'is answered in time');
  t.equal(failed.statusCode, 503);
  t.ok(failed.headers['retry-after']);
  t.match(failed.json().message, /only 1 of 2 replicas have it so far, outcome unknown$/);
  t.match(
    log(),
    /"reason":"only 1 of 2 replicas have it so far, outcome unknown","msg":"messages could not be stored"/,
  );

  const other = await start(t, master, 'replica:2');
  await other.untilDown(/only 1 of 2 replicas/);
  t.match(await other.pitch('two', 'k'), { statusCode: 503 }, 'nor is it for another process that finds its entry');
  replicas[1]?.resume();
  await untilReady();
  t.match(await pitch('two', 'k'), { statusCode: 200 });
  t.equal(await master.cli('XLEN', 'messages'), '2');
});

function start(t: Test, server: RedisServer, mode: string) {
  return appOnRedis(t, server, { STREAM_PASSWORD: '', STREAM_ACK: mode, STREAM_TIMEOUT: `${TIMEOUT_MS}ms` });
}

async function isRefused(t: Test, server: RedisServer, reason: RegExp): Promise<void> {
  const { untilDown, pitch, get, log } = await start(t, server, 'fsync');
  await untilDown(reason);
  t.match(await get('/ready'), { statusCode: 503 });
  const { statusCode, headers, body } = await pitch('one');
  t.equal(statusCode, 503);
  t.ok(headers['retry-after']);
  t.match(body, 'STREAM_ACK=fsync needs');
  t.match(log(), /"reason":"STREAM_ACK=fsync needs [^"]*","msg":"messages cannot be stored"/);
  t.equal(await server.cli('XLEN', 'messages'), '0');
}

function startReplica(t: Test, { host, port }: RedisServer): Promise<RedisServer> {
  return startRedis(t, { replicaof: `${host} ${port}` });
}

async function inStep(master: RedisServer, replicas: number): Promise<void> {
  const online = async () => (await master.cli('INFO', 'replication')).match(/state=online/g)?.length === replicas;
  await until(online, CHANGE_MS, (cause) => new Error('the replicas are never in step', { cause }));
}
