import type { Redis } from 'ioredis';
import type { Test } from 'tap';
import { authorized, startApp } from '../../app.ts';
import { until } from '../../programs/until.ts';
import type { RedisServer } from '../../redis/redis-server.ts';
import { standaloneClient } from './open-redis-store.ts';

export const index = 'messages_idx';
/** How long the index may take to have what the stream has, in milliseconds. */
const FOUND_MS = 30_000;

/** The real application with a search index on a real server, and a client of its own that searches. */
export async function appWithSearch(t: Test, server: RedisServer, env: Record<string, string> = {}) {
  const stream = env.STREAM_NAME ?? 'messages';
  const settings = { STREAM_URL: server.url, STREAM_NAME: stream, STREAM_SEARCH_INDEX: index };
  const app = await startApp(t, { ...settings, ...env });
  const client = searchClient(t, server);
  const ready = async () => (await app.inject('/ready')).json();
  const waitFor = (what: string, condition: () => Promise<boolean>) =>
    until(condition, FOUND_MS, (cause) => new Error(`never: ${what}`, { cause }));
  await waitFor('the service is ready', async () => (await ready()).status === 'ready');
  const finds = (word: string) => find(client, env.STREAM_SEARCH_INDEX ?? index, word);

  return {
    app,
    client,
    finds,
    ready,
    waitFor,
    /** The status code, and the entry id if there is one. */
    async pitch(title: string, payload: object = {}) {
      const body = { name: 'search', payload: { title, ...payload } };
      const answer = await app.inject({ method: 'POST', url: '/pitch', headers: authorized, payload: body });
      return { status: answer.statusCode, id: String(answer.json().objectID) };
    },
    untilFound: (word: string, ids: readonly string[]) =>
      waitFor(
        `${word} finds these ${ids.length} entries`,
        async () => String(await finds(word)) === String([...ids].sort()),
      ),
    /** Of the gauge; undefined if there is none. */
    async up(): Promise<string | undefined> {
      const { body } = await app.inject('/metrics');
      return /^frontdesk_search_index_up (.*)$/m.exec(body)?.[1];
    },
  };
}

export function searchClient(t: Test, server: RedisServer): Redis {
  const client = standaloneClient(server);
  client.on('error', () => undefined);
  t.teardown(() => client.disconnect());
  return client;
}

/** Ids of the entries whose documents have `word` in them, in order. */
export async function find(client: Redis, name: string, word: string): Promise<string[]> {
  const found: unknown = await client.call('FT.SEARCH', name, word, 'NOCONTENT', 'LIMIT', '0', '10000');
  if (!Array.isArray(found)) throw new Error(`not an answer of FT.SEARCH: ${found}`);
  return found
    .slice(1)
    .map((key) => String(key).split(':').at(-1) ?? '')
    .sort();
}
