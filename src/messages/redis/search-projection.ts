import type { FastifyBaseLogger } from 'fastify';
import type { ChainableCommander } from 'ioredis';
import { reasonOf } from '../../reason-of.ts';
import type { Reader } from './reader.ts';
import type { RedisKeys } from './redis-keys.ts';
import { type Entry, type SearchIndex, searchIndex } from './search-index.ts';

/** Entries that one round trip reads; each may be megabytes. */
const STEP = 16;
/** How often the index itself is looked at, in milliseconds: it may have been dropped. */
const CHECK_MS = 5000;

export interface SearchProjectionOptions {
  reader: Reader;
  keys: RedisKeys;
  index: string;
  retention: { maxLength: number; maxAgeMs: number };
  clock: () => number;
  log: Pick<FastifyBaseLogger, 'error' | 'info'>;
}

/**
 * The projection of a stream into a search index: it moves along the stream, and puts into the index what it passes,
 * whoever wrote it. While the index is away it stands still, and makes up for it later. Several processes may do so at
 * once: what is put twice is there once.
 */
export class SearchProjection {
  readonly #options: SearchProjectionOptions;
  #index: SearchIndex | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;
  /** Why the index is not up to date. */
  #failure: string | undefined;

  constructor(options: SearchProjectionOptions) {
    this.#options = options;
  }

  get failure(): string | undefined {
    return this.#failure;
  }

  /** Brings the index up to date, and drops entries and their documents together. `counted` is the last entry that may go. */
  async catchUp(counted: string): Promise<void> {
    const { log, index } = this.#options;
    try {
      const ready = await this.#ready();
      while (await this.#putSome(ready));
      if (this.#failure !== undefined) log.info({ index }, 'the search index is up to date again');
      this.#failure = undefined;
    } catch (error) {
      this.#index = undefined;
      const reason = reasonOf(error);
      if (this.#failure !== reason) log.error({ index, reason }, 'messages are not written to the search index');
      this.#failure = reason;
    }
    while (await this.#dropSome(counted));
  }

  async #ready(): Promise<SearchIndex> {
    const { reader, keys, index: name } = this.#options;
    if (this.#index !== undefined && performance.now() - this.#checkedAt < CHECK_MS) return this.#index;
    const index = await searchIndex(reader, keys, name);
    const { made } = await index.ensure();
    if (made && !index.findsOldDocuments) await reader.ask(reader.client.del(keys.indexed));
    this.#index = index;
    this.#checkedAt = performance.now();
    return index;
  }

  /** @returns whether there may be more. */
  async #putSome(index: SearchIndex): Promise<boolean> {
    const { client, ask } = this.#commands();
    const { keys } = this.#options;
    const done = (await ask(client.get(keys.indexed))) ?? '0-0';
    const entries = await ask(client.xrange(keys.stream, `(${done}`, '+', 'COUNT', STEP));
    const last = entries.at(-1);
    if (last === undefined) return false;
    await this.#all((batch) => {
      for (const entry of entries) index.put(batch, entry);
    });
    await ask(client.set(keys.indexed, last[0]));
    return entries.length === STEP;
  }

  /** Documents go first: a document without an entry would be found for ever. @returns whether there may be more. */
  async #dropSome(counted: string): Promise<boolean> {
    const { client, ask } = this.#commands();
    const { keys, retention, clock } = this.#options;
    const surplus = (await ask(client.xlen(keys.stream))) - retention.maxLength;
    const oldest = clock() - retention.maxAgeMs;
    const entries = await ask(client.xrange(keys.stream, '-', '+', 'COUNT', STEP));
    const isOver = ([id]: Entry, i: number) => (i < surplus || timeOf(id) < oldest) && compareIds(id, counted) <= 0;
    const kept = entries.findIndex((entry, i) => !isOver(entry, i));
    const over = kept === -1 ? entries : entries.slice(0, kept);
    const last = over.at(-1);
    if (last === undefined) return false;
    if (this.#index !== undefined) {
      const index = this.#index;
      await this.#all((batch) => {
        for (const [id] of over) index.remove(batch, id);
      });
    }
    const batch = client.pipeline();
    for (const [id] of over) batch.unlink(keys.document(id)).xdel(keys.stream, id);
    await ask(batch.exec());
    return over.length === STEP;
  }

  /** @throws the first error of the commands that `add` adds. */
  async #all(add: (batch: ChainableCommander) => void): Promise<void> {
    const { client, ask } = this.#commands();
    const batch = client.pipeline();
    add(batch);
    for (const [error] of (await ask(batch.exec())) ?? []) if (error) throw error;
  }

  #commands() {
    const { reader } = this.#options;
    return { client: reader.client, ask: <T>(answer: Promise<T>) => reader.ask(answer) };
  }
}

const timeOf = (id: string) => Number(id.split('-')[0]);

function compareIds(a: string, b: string): number {
  const [aSequence, bSequence] = [a, b].map((id) => Number(id.split('-')[1]));
  return timeOf(a) - timeOf(b) || (aSequence ?? 0) - (bSequence ?? 0);
}
