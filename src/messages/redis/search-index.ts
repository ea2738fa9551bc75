import type { ChainableCommander } from 'ioredis';
import { reasonOf } from '../../reason-of.ts';
import { type Message, messageFields } from '../message.ts';
import type { Reader } from './reader.ts';
import type { RedisKeys } from './redis-keys.ts';

export type Entry = [id: string, fields: string[]];

/** An index of all messages, in one of the dialects of RediSearch. */
export interface SearchIndex {
  /** Whether the index had to be made. Throws if there is one by its name that can never hold the messages. */
  ensure(): Promise<{ made: boolean }>;
  /** Adds to `batch` what puts an entry into the index; putting it twice is as putting it once. */
  put(batch: ChainableCommander, entry: Entry): void;
  remove(batch: ChainableCommander, id: string): void;
  /** Whether an index made anew finds the documents that are there by itself. */
  readonly findsOldDocuments: boolean;
}

/** Searched by words; the other fields are searched by their whole value. */
const textFields: readonly (keyof Message)[] = ['title', 'message', 'tags', 'name', 'payload'];
const schema = messageFields.flatMap((field) => [field, 'TEXT', ...(textFields.includes(field) ? [] : ['NOSTEM'])]);

/**
 * The index `name` in the dialect of the server's RediSearch: hashes by their prefix from version 2, documents that are
 * added one by one before that.
 * @throws if the server has no RediSearch.
 */
export async function searchIndex(reader: Reader, keys: RedisKeys, name: string): Promise<SearchIndex> {
  const version = await moduleVersion(reader);
  return version >= 20_000 ? indexOnHash(reader, keys, name) : indexOfDocuments(reader, keys, name);
}

/** https://redis.io/docs/latest/commands/ft.create/ */
function indexOnHash(reader: Reader, keys: RedisKeys, name: string): SearchIndex {
  const prefix = keys.document('');
  return {
    findsOldDocuments: true,
    async ensure() {
      const info = await indexInfo(reader, name);
      if (info === undefined) {
        const made = ['ON', 'HASH', 'PREFIX', '1', prefix, 'SCHEMA', ...schema];
        await reader.ask(reader.client.call('FT.CREATE', name, ...made));
        return { made: true };
      }
      // An index of JSON documents, or of others' keys, would take every message and find none.
      const definition = JSON.stringify(info);
      if (!definition.includes('"HASH"') || !definition.includes(JSON.stringify(prefix))) {
        throw new Error(`the index ${name} is not ON HASH with the prefix ${prefix}; drop it, or name another`);
      }
      return { made: false };
    },
    put: (batch, [id, fields]) => batch.hset(keys.document(id), ...fields),
    remove: (batch, id) => batch.unlink(keys.document(id)),
  };
}

/** RediSearch 1: https://github.com/RediSearch/RediSearch/blob/v1.2.2/docs/Commands.md */
function indexOfDocuments(reader: Reader, keys: RedisKeys, name: string): SearchIndex {
  return {
    findsOldDocuments: false,
    async ensure() {
      if ((await indexInfo(reader, name)) !== undefined) return { made: false };
      await reader.ask(reader.client.call('FT.CREATE', name, 'SCHEMA', ...schema));
      return { made: true };
    },
    put: (batch, [id, fields]) => batch.call('FT.ADD', name, keys.document(id), '1', 'REPLACE', 'FIELDS', ...fields),
    remove: (batch, id) => batch.call('FT.DEL', name, keys.document(id), 'DD'),
  };
}

/** What the server tells of an index; undefined if there is none by that name. */
async function indexInfo(reader: Reader, name: string): Promise<unknown> {
  try {
    return await reader.ask(reader.client.call('FT.INFO', name));
  } catch (error) {
    if (/unknown index|no such index/i.test(reasonOf(error))) return undefined;
    throw error;
  }
}

/** The version of RediSearch, as a number such as 10202 for 1.2.2. */
async function moduleVersion(reader: Reader): Promise<number> {
  const modules: unknown = await reader.ask(reader.client.call('MODULE', 'LIST'));
  for (const module of Array.isArray(modules) ? modules : []) {
    const facts: unknown[] = Array.isArray(module) ? module : [];
    const fact = (name: string) => facts[facts.indexOf(name) + 1];
    if (fact('name') === 'search' || fact('name') === 'ft') return Number(fact('ver'));
  }
  throw new Error('the server has no RediSearch module');
}
