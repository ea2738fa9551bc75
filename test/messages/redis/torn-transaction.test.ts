import { readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import type { NewMessage } from '../../../src/messages/message-store.ts';
import type { RedisStore } from '../../../src/messages/redis/redis-store.ts';
import { until } from '../../programs/until.ts';
import { type RedisServer, startRedis } from '../../redis/redis-server.ts';
import { someMessage } from '../some-message.ts';
import { entriesOf } from './accounts.ts';
import { total } from './foreign-stream.ts';
import { openRedisStore, standaloneClient, standaloneTarget } from './open-redis-store.ts';

/** How long a connection may take to come back, in milliseconds. */
const BACK_MS = 20_000;
/** Places in a transaction where the server is stopped in the middle of writing it. */
const CUTS = 6;

const keyed = (title: string) => someMessage({ title, once: { key: title, ttlMs: 3_600_000 } });
const plain = (title: string) => someMessage({ title });

test('of an append with a key that the server wrote by half nothing is left that is counted or stored twice', async (t) => {
  for (let cut = 1; cut < CUTS; cut++) {
    const { server, store } = await openDurable(t);
    await stored(store, plain('first'));
    await stored(store, keyed('torn'));
    await tear(server, 'torn', cut);
    await stored(store, plain('between'));
    await stored(store, keyed('torn'));
    await restart(server);
    await stored(store, plain('last'));
    await checkEntries(t, server, store, ['first', 'between', 'torn', 'last']);
  }
});

test('counts that the server wrote by half are counted once', async (t) => {
  for (let cut = 1; cut < CUTS; cut++) {
    const { server, store } = await openDurable(t);
    await stored(store, plain('first'));
    await store.counts('all');
    await stored(store, plain('second'));
    await store.counts('all');
    await tear(server, 'cursor', cut);
    await stored(store, plain('between'));
    await restart(server);
    await stored(store, plain('last'));
    await checkEntries(t, server, store, ['first', 'second', 'between', 'last']);
  }
});

test('what is acknowledged after half a transaction is there after the next crash, however soon that is', async (t) => {
  const { server, store } = await openDurable(t);
  await stored(store, plain('first'));
  await stored(store, keyed('torn'));
  await tear(server, 'torn', 3);
  await stored(store, plain('last'));
  await restart(server);
  await checkEntries(t, server, store, ['first', 'last']);
});

async function openDurable(t: Test) {
  const server = await startRedis(t, { appendonly: 'yes', appendfsync: 'always' });
  const store = await openRedisStore(t, standaloneTarget(server), { acknowledge: 'fsync' });
  return { server, store };
}

/** Appends, again and again until it is stored. */
async function stored(store: RedisStore, message: NewMessage): Promise<void> {
  const isStored = async () => (await store.append([message]))[0]?.ok === true;
  await until(isStored, BACK_MS, (cause) => new Error('it is never stored', { cause }));
}

async function restart(server: RedisServer): Promise<void> {
  await server.kill();
  await server.start();
}

/**
 * Kills the server as if that had happened while it wrote the last transaction with `word` in it, and starts it again.
 * @param cut from 1 for near its beginning to `CUTS - 1` for near its end, its last command not included
 */
async function tear(server: RedisServer, word: string, cut: number): Promise<void> {
  await server.kill();
  const folder = join(server.dir, 'appendonlydir');
  const file = join(folder, readdirSync(folder).find((name) => name.endsWith('.incr.aof')) ?? 'none');
  const text = readFileSync(file, 'latin1');
  const begin = text.indexOf('\n', text.lastIndexOf('$5\r\nMULTI', text.lastIndexOf(word)) + 4) + 1;
  const end = text.indexOf('*1\r\n$4\r\nEXEC', begin);
  if (begin <= 0 || end < begin) throw new Error(`no transaction with ${word} in ${file}`);
  truncateSync(file, begin + Math.round(((end - begin) * cut) / CUTS));
  await server.start();
}

async function checkEntries(t: Test, server: RedisServer, store: RedisStore, titles: string[]): Promise<void> {
  const client = standaloneClient(server);
  const entries = await entriesOf(client, store.stream);
  client.disconnect();
  t.same(
    entries.map(({ title }) => title),
    titles,
  );
  let counted = -1;
  const isCounted = async () => {
    counted = total(await store.counts('all'));
    return true;
  };
  await until(isCounted, BACK_MS, (cause) => new Error('never counted', { cause }));
  t.equal(counted, titles.length);
}
