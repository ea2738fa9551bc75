import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import { authorized } from '../../app.ts';
import { type RedisServer, startRedis } from '../../redis/redis-server.ts';
import { redisearch } from '../../redis/redisearch.ts';
import { appWithSearch, find, index, searchClient } from './app-with-search.ts';
import { fill } from './foreign-stream.ts';

const skip = redisearch === undefined && 'the RediSearch module is not installed';
const loadmodule = redisearch ?? '';

test('an index that is dropped is made anew and filled completely, while messages are taken', { skip }, async (t) => {
  const server = await startRedis(t, { loadmodule });
  const { client, pitch, untilFound } = await appWithSearch(t, server);
  const ids: string[] = [];
  for (let i = 0; i < 50; i++) ids.push((await pitch('walrus')).id);
  await untilFound('walrus', ids);
  for (let round = 0; round < 3; round++) {
    // With all its documents.
    await client.call('FT.DROP', index);
    ids.push((await pitch('walrus')).id);
    await untilFound('walrus', ids);
  }
});

test('an index that is dropped while nothing is appended is made anew all the same', { skip }, async (t) => {
  const server = await startRedis(t, { loadmodule });
  const { client, pitch, untilFound } = await appWithSearch(t, server);
  const { id } = await pitch('walrus');
  await untilFound('walrus', [id]);
  await client.call('FT.DROP', index);
  await untilFound('walrus', [id]);
});

test('several processes that find their index dropped fill it completely together', { skip }, async (t) => {
  const server = await startRedis(t, { loadmodule });
  const apps = await Promise.all([1, 2, 3].map(() => appWithSearch(t, server)));
  const client = searchClient(t, server);
  await fill(client, 'messages', 3000, () => ['title', 'walrus']);
  const ids = (await client.xrange('messages', '-', '+')).map(([id]) => id);
  for (const { untilFound } of apps) await untilFound('walrus', ids);
  for (let round = 0; round < 3; round++) {
    await client.call('FT.DROP', index);
    for (const { pitch } of apps) ids.push((await pitch('walrus')).id);
    await Promise.all(apps.map(({ untilFound }) => untilFound('walrus', ids)));
  }
});

test('without the module messages are taken, and readiness and metrics say what is missing', { skip }, async (t) => {
  const server = await startRedis(t, { appendonly: 'yes' });
  const { app, pitch, ready, up, waitFor, untilFound } = await appWithSearch(t, server);
  const ids: string[] = [];
  for (let i = 0; i < 20; i++) {
    const { status, id } = await pitch('walrus');
    t.equal(status, 200);
    ids.push(id);
  }
  await waitFor('the reason is told', async () => /no RediSearch module/.test(await details(ready)));
  t.match(await ready(), { status: 'ready' }, 'messages can be taken, which is what counts');
  t.equal(await up(), '0');
  const { statusCode, body } = await app.inject({ url: '/analytics/summary', headers: authorized });
  t.equal(statusCode, 200);
  t.match(JSON.parse(body), { totalMessages: 20 });

  await restartWithModule(server);
  await untilFound('walrus', ids);
  await waitFor('the index is up', async () => (await up()) === '1');
  t.equal(await details(ready), index);
});

test('an index by that name which finds no messages is left alone and reported', { skip }, async (t) => {
  const server = await startRedis(t, { loadmodule });
  const client = searchClient(t, server);
  await client.call('FT.CREATE', index, 'SCHEMA', 'colour', 'TEXT');
  const { pitch, ready, up, waitFor, untilFound } = await appWithSearch(t, server);
  await waitFor('the reason is told', async () => /drop it, or name another/.test(await details(ready)));
  const { status, id } = await pitch('walrus');
  t.equal(status, 200);
  t.equal(await up(), '0');
  await client.call('FT.DROP', index);
  await untilFound('walrus', [id]);
  await waitFor('the index is up', async () => (await up()) === '1');
});

test('each message that was taken while memory ran out is found when there is more of it', { skip }, async (t) => {
  const server = await startRedis(t, { loadmodule, 'maxmemory-policy': 'noeviction', maxmemory: '24mb' });
  const { pitch, up, waitFor, untilFound } = await appWithSearch(t, server);
  const ids: string[] = [];
  const fills = async () => {
    const { status, id } = await pitch('walrus', { text: words(ids.length) });
    if (status === 200) ids.push(id);
    return status === 503;
  };
  await waitFor('the server is full', fills);
  await server.cli('CONFIG', 'SET', 'maxmemory', '0');
  ids.push((await pitch('walrus')).id);
  await untilFound('walrus', ids);
  await waitFor('the index is up', async () => (await up()) === '1');
});

test('a server that is killed and started again finds what it found before, and what comes after', {
  skip,
}, async (t) => {
  const server = await startRedis(t, { loadmodule, appendonly: 'yes', appendfsync: 'always' });
  const { client, pitch, untilFound, waitFor } = await appWithSearch(t, server);
  const ids: string[] = [];
  for (let i = 0; i < 30; i++) ids.push((await pitch('walrus')).id);
  await server.kill();
  await server.start();
  await untilFound('walrus', ids);
  await waitFor('messages are taken again', async () => {
    const { status, id } = await pitch('walrus');
    if (status === 200) ids.push(id);
    return status === 200;
  });
  await untilFound('walrus', ids);
  t.equal((await find(client, index, 'walrus')).length, 31);
});

async function details(ready: () => Promise<{ dependencies: { store: { searchIndex: string } } }>): Promise<string> {
  return (await ready()).dependencies.store.searchIndex;
}

/** Text of 20,000 characters that no other number gives. */
function words(number: number): string {
  return Array.from({ length: 2000 }, (_, i) => `${number}x${i}`.padStart(9, 'a')).join(' ');
}

async function restartWithModule(server: RedisServer): Promise<void> {
  await server.stop();
  await appendFile(join(server.dir, 'redis.conf'), `loadmodule ${loadmodule}\n`);
  await server.start();
}
