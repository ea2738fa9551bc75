import tap, { test } from 'tap';
import { startApp } from '../../app.ts';
import { startRedis } from '../../redis/redis-server.ts';
import { redisearch } from '../../redis/redisearch.ts';
import { appWithSearch, index, searchClient } from './app-with-search.ts';
import { fill } from './foreign-stream.ts';

const hour = 3_600_000;
/** Entries of a stream that is there before its index. */
const LENGTH = 20_000;
const skip = redisearch === undefined && 'the RediSearch module is not installed';
// Each test has a stream and an index of its own.
const started = redisearch === undefined ? undefined : startRedis(tap, { loadmodule: redisearch });

function searchServer() {
  if (started === undefined) throw new Error('there is no search without the module');
  return started;
}

function env(stream: string): Record<string, string> {
  return { STREAM_NAME: stream, STREAM_SEARCH_INDEX: `${stream}_idx` };
}

test('a pitched message is found by words of any of its texts', { skip }, async (t) => {
  const server = await searchServer();
  const { pitch, untilFound, up, ready } = await appWithSearch(t, server, env('pitched'));
  const { id } = await pitch('walrus on ice', { message: 'tusks', system: 'arctic', tags: ['sea', 'cold'] });
  for (const word of ['walrus', 'tusks', 'cold', '@system:arctic']) await untilFound(word, [id]);
  await untilFound('penguin', []);
  t.equal(await up(), '1');
  t.match(await ready(), { dependencies: { store: { searchIndex: env('pitched').STREAM_SEARCH_INDEX } } });
});

test('entries that others write are found too, whatever their fields are, and hold up nobody', { skip }, async (t) => {
  const server = await searchServer();
  const { client, untilFound, pitch } = await appWithSearch(t, server, env('foreign'));
  const add = async (...fields: string[]) => (await client.xadd('foreign', '*', ...fields)) ?? '';
  // What an option of the search module looks like, fields given twice, none of ours, and more than a script can take at once.
  const ids = [
    await add('title', 'NOSAVE', 'message', 'walrus'),
    await add('title', 'first', 'title', 'walrus'),
    await add('message', 'walrus', 'NOSAVE', 'x', 'PAYLOAD', 'y', 'LANGUAGE', 'klingon'),
    await add(...Array.from({ length: 9000 }, (_, i) => [`field-${i}`, 'x']).flat(), 'tags', 'walrus'),
  ];
  await add('colour', 'red');
  await add('title', '', 'message', '\0\n');
  ids.push((await pitch('walrus')).id);
  await untilFound('walrus', ids);
});

test('documents leave with their entries, by age and by length', { skip }, async (t) => {
  const server = await searchServer();
  const client = searchClient(t, server);
  const ids: string[] = [];
  for (const ago of [3 * hour, 2 * hour, 1000, 500, 0]) {
    ids.push((await client.xadd('leaving', `${Date.now() - ago}-*`, 'title', 'walrus')) ?? '');
  }
  const retention = { STREAM_RETENTION: '1h', STREAM_MAXLEN: '2' };
  const { untilFound } = await appWithSearch(t, server, { ...env('leaving'), ...retention });
  await untilFound('walrus', ids.slice(-2));
  t.equal(await client.xlen('leaving'), 2);
  t.strictSame(await client.keys('frontdesk:{leaving}:document:*').then((keys) => keys.length), 2);
});

test('a stream from before the index is put into it, while messages are taken and counted', { skip }, async (t) => {
  const server = await searchServer();
  const client = searchClient(t, server);
  await fill(client, 'before', LENGTH, (i) => ['title', `walrus w${i}`, 'system', 'a', 'severity', 'info']);
  const { pitch, waitFor, up, finds } = await appWithSearch(t, server, env('before'));
  const { status, id } = await pitch('latest');
  t.equal(status, 200);
  await waitFor('the index is up', async () => (await up()) === '1');
  t.strictSame(await finds('latest'), [id]);
  for (const i of [0, 7777, LENGTH - 1]) t.equal((await finds(`w${i}`)).length, 1);
  const [count] = Object.values(Object(await client.call('FT.SEARCH', 'before_idx', 'walrus', 'LIMIT', '0', '1')));
  t.equal(count, LENGTH);
});

test('several processes that fill one index leave no gap', { skip }, async (t) => {
  const server = await searchServer();
  const apps = await Promise.all([1, 2, 3].map(() => appWithSearch(t, server, env('several'))));
  const ids: string[] = [];
  for (let round = 0; round < 20; round++) {
    const pitched = await Promise.all(apps.map(({ pitch }) => pitch('walrus')));
    ids.push(...pitched.map(({ id }) => id));
  }
  for (const { untilFound } of apps) await untilFound('walrus', ids);
});

test('an index by another name gets all messages of the stream, while the former one is still filled', {
  skip,
}, async (t) => {
  const server = await searchServer();
  const former = await appWithSearch(t, server, env('renamed'));
  const ids = [(await former.pitch('walrus')).id];
  await former.untilFound('walrus', ids);
  const latter = await appWithSearch(t, server, { ...env('renamed'), STREAM_SEARCH_INDEX: 'latter_idx' });
  for (const { pitch } of [former, latter]) ids.push((await pitch('walrus')).id);
  for (const { untilFound } of [former, latter]) await untilFound('walrus', ids);
});

test('there is no gauge of an index where none is asked for', async (t) => {
  const app = await startApp(t);
  t.notMatch((await app.inject('/metrics')).body, /frontdesk_search_index_up/);
});

test('the gauge tells of the index of the embedded store as well', async (t) => {
  const app = await startApp(t, { STREAM_SEARCH_INDEX: index });
  t.match((await app.inject('/metrics')).body, /^frontdesk_search_index_up 1$/m);
});
