import tap, { test } from 'tap';
import type { RedisClient } from '../../../src/messages/redis/connect-redis.ts';
import { token } from '../../app.ts';
import { run } from '../../process.ts';
import { until } from '../../programs/until.ts';
import { startRedis } from '../../redis/redis-server.ts';
import { fill, recount, sorted } from './foreign-stream.ts';
import { openRedisStore, standaloneClient, standaloneTarget } from './open-redis-store.ts';

const LENGTH = 120_000;
/** How long a fold may take to begin, or to end, in milliseconds. */
const FOLD_MS = 60_000;
const ROUNDS = 4;

const labels = (i: number) => ['system', `system-${i % 11}`, 'severity', i % 3 === 0 ? 'critical' : 'info'];

test('a process that is killed while it counts leaves counts that another one brings to the exact end', async (t) => {
  const server = await startRedis(tap);
  const client = standaloneClient(server);
  t.teardown(() => client.disconnect());
  await fill(client, 'messages', LENGTH, labels);
  const cursor = () => client.hget('frontdesk:{messages}:counted', 'cursor');
  const last = await lastEntry(client);

  for (let round = 0; round < ROUNDS; round++) {
    const before = await cursor();
    const env = { AUTH_TOKEN: token, HOST: '127.0.0.1', PORT: '0', STREAM_URL: server.url, DATA_DIR: t.testdir() };
    const { child, exited } = run(t, 'src/main.ts', env);
    await until(
      async () => isElsewhere(await cursor(), before, last),
      FOLD_MS,
      (cause) => new Error('it never began to count', { cause }),
    );
    child.kill('SIGKILL');
    t.equal(await exited, 'SIGKILL');
    if (round === 0) t.not(await cursor(), last, 'it was killed before the end');
  }
  const store = await openRedisStore(t, standaloneTarget(server), { stream: 'messages' });
  t.strictSame(await countedIn(store), await recount(client, 'messages'));
});

test('a server that is killed while it counts has exact counts when it is back', async (t) => {
  const server = await startRedis(t, { appendonly: 'yes', appendfsync: 'always' });
  const client = standaloneClient(server);
  client.on('error', () => undefined);
  t.teardown(() => client.disconnect());
  const open = () => openRedisStore(t, standaloneTarget(server), { stream: 'messages' });
  await fill(client, 'messages', LENGTH, labels);
  const last = await lastEntry(client);
  const store = await open();
  const cursor = () => client.hget('frontdesk:{messages}:counted', 'cursor');
  for (let round = 0; round < ROUNDS; round++) {
    const before = await cursor();
    await until(
      async () => isElsewhere(await cursor(), before, last),
      FOLD_MS,
      (cause) => new Error('it never went on counting', { cause }),
    );
    await server.kill();
    await server.start();
    await until(
      async () => (await client.ping()) === 'PONG',
      FOLD_MS,
      (cause) => new Error('the server never came back', { cause }),
    );
  }
  t.equal(await client.xlen('messages'), LENGTH);
  t.strictSame(await countedIn(store), await recount(client, 'messages'));
});

async function lastEntry(client: RedisClient): Promise<string | undefined> {
  const [last] = await client.xrevrange('messages', '+', '-', 'COUNT', 1);
  return last?.[0];
}

/** Whether counting went on since `before`, or is at its end. */
function isElsewhere(cursor: string | null, before: string | null, last: string | undefined): boolean {
  return cursor !== before || cursor === last;
}

/** All counts, as soon as there is an answer. */
async function countedIn(store: Awaited<ReturnType<typeof openRedisStore>>) {
  let counts: Awaited<ReturnType<typeof store.counts>> = [];
  await until(
    async () => {
      counts = await store.counts('all');
      return true;
    },
    FOLD_MS,
    (cause) => new Error('it was never counted', { cause }),
  );
  return sorted(counts);
}
