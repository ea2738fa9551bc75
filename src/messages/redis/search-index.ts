import { reasonOf } from '../../reason-of.ts';
import { type Message, messageFields } from '../message.ts';
import type { Reader } from './reader.ts';

/** An index of all messages, in one of the dialects of RediSearch. */
export interface SearchIndex {
  /**
   * Sees to it that there is the index.
   * @param makes called before it is made
   * @throws if there is one by its name that does not find messages.
   */
  ensure(makes: () => Promise<unknown>): Promise<void>;
  /** Whether it takes up hashes with the prefix of documents by itself; else each has to be added and removed. */
  readonly onHash: boolean;
}

/** Searched by words; the other fields are searched by their whole value. */
const textFields: readonly (keyof Message)[] = ['title', 'message', 'tags', 'name', 'payload'];
const schema = messageFields.flatMap((field) => [field, 'TEXT', ...(textFields.includes(field) ? [] : ['NOSTEM'])]);

/**
 * The index `name` of the hashes whose keys begin with `prefix`, in the dialect of the server's RediSearch: `ON HASH` from
 * version 2, documents that are added one by one before that.
 * https://redis.io/docs/latest/commands/ft.create/
 * https://github.com/RediSearch/RediSearch/blob/v1.2.2/docs/Commands.md
 * @throws if the server has no RediSearch.
 */
export async function searchIndex(reader: Reader, name: string, prefix: string): Promise<SearchIndex> {
  const onHash = (await moduleVersion(reader)) >= 20_000;
  const source = onHash ? ['ON', 'HASH', 'PREFIX', '1', prefix] : [];
  return {
    onHash,
    async ensure(makes) {
      const info = await indexInfo(reader, name);
      if (info === undefined) {
        await makes();
        return create(reader, name, [...source, 'SCHEMA', ...schema]);
      }
      const problem = (onHash ? sourceProblem(info, prefix) : undefined) ?? fieldsProblem(info);
      if (problem !== undefined) throw new Error(`the index ${name} ${problem}; drop it, or name another`);
    },
  };
}

async function create(reader: Reader, name: string, definition: readonly string[]): Promise<void> {
  try {
    await reader.ask(reader.client.call('FT.CREATE', name, ...definition));
  } catch (error) {
    // Another process was quicker.
    if (!/already exists/i.test(reasonOf(error))) throw error;
  }
}

type Info = ReadonlyMap<unknown, unknown>;

/** An index of JSON documents, or of others' keys, would take no message. */
function sourceProblem(info: Info, prefix: string): string | undefined {
  const definition = pairs(info.get('index_definition'));
  const prefixes = list(definition.get('prefixes'));
  const takesAll = definition.get('key_type') === 'HASH' && prefixes.length === 1 && prefixes[0] === prefix;
  return takesAll ? undefined : `is not ON HASH with the prefix ${prefix}`;
}

function fieldsProblem(info: Info): string | undefined {
  const fields = [...list(info.get('attributes')), ...list(info.get('fields'))].map(list);
  const missing = messageFields.find((field) => !fields.some((one) => one.includes(field) && one.includes('TEXT')));
  return missing === undefined ? undefined : `has no text field ${missing}`;
}

/** What the server tells of an index; undefined if there is none by that name. */
async function indexInfo(reader: Reader, name: string): Promise<Info | undefined> {
  try {
    return pairs(await reader.ask(reader.client.call('FT.INFO', name)));
  } catch (error) {
    if (/unknown index|no such index/i.test(reasonOf(error))) return undefined;
    throw error;
  }
}

/** The version of RediSearch, as a number such as 10202 for 1.2.2. */
async function moduleVersion(reader: Reader): Promise<number> {
  const modules: unknown = await reader.ask(reader.client.call('MODULE', 'LIST'));
  const search = list(modules)
    .map(pairs)
    .find((module) => module.get('name') === 'search' || module.get('name') === 'ft');
  if (search === undefined) throw new Error('the server has no RediSearch module');
  return Number(search.get('ver'));
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Names and values in turn, as answers of protocol 2 have them. */
function pairs(value: unknown): Map<unknown, unknown> {
  const items = list(value);
  return new Map(items.flatMap((name, i) => (i % 2 === 0 ? [[name, items[i + 1]]] : [])));
}
