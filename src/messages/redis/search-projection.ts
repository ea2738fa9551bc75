import type { FastifyBaseLogger } from 'fastify';
import { reasonOf } from '../../reason-of.ts';
import type { Reader } from './reader.ts';
import type { RedisKeys } from './redis-keys.ts';
import { type SearchIndex, searchIndex } from './search-index.ts';
import { dropScript, putScript } from './search-scripts.ts';

/** Entries and bytes that one run of a script takes on, so that it holds up nobody else for more than some milliseconds. */
const MAX_ENTRIES = 16;
const MAX_BYTES = 262_144;
/** How long one turn goes on while there is more to do, in milliseconds: others want to count meanwhile. */
const TURN_MS = 1000;
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
 * once.
 */
export class SearchProjection {
  readonly #options: SearchProjectionOptions;
  /** As it was when it was last seen. */
  #index: SearchIndex | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #failure: string | undefined = 'not looked at yet';

  constructor(options: SearchProjectionOptions) {
    this.#options = options;
  }

  /** Why messages are missing in the index; undefined if none is. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /**
   * Brings the index nearer to the stream, and drops entries and their documents together. `counted` is the last entry
   * that may go. Rejects if Redis is away.
   */
  async catchUp(counted: string): Promise<void> {
    const end = performance.now() + TURN_MS;
    let more = true;
    while (more && performance.now() < end) {
      const put = await this.#put();
      more = (await this.#drop(counted)) || put;
    }
  }

  /** @returns whether there may be more to put. */
  async #put(): Promise<boolean> {
    const { reader, keys, index } = this.#options;
    try {
      const { onHash } = await this.#ready();
      const args = [keys.document(''), MAX_ENTRIES, MAX_BYTES, onHash ? '' : index];
      const more = await reader.ask(reader.client.eval(putScript, 2, keys.stream, keys.indexed(index), ...args));
      if (more === 1) return true;
      this.#upToDate();
    } catch (error) {
      if (!reader.isConnected) throw error;
      this.#failed(reasonOf(error));
    }
    return false;
  }

  async #ready(): Promise<SearchIndex> {
    if (this.#index !== undefined && performance.now() - this.#checkedAt < CHECK_MS) return this.#index;
    const { reader, keys, index: name } = this.#options;
    const index = await searchIndex(reader, name, keys.document(''));
    await index.ensure(() => {
      this.#failure ??= 'it is made anew';
      return reader.ask(reader.client.del(keys.indexed(name)));
    });
    this.#checkedAt = performance.now();
    this.#index = index;
    return index;
  }

  /** @returns whether there may be more to drop. */
  async #drop(counted: string): Promise<boolean> {
    const { reader, keys, index, retention, clock } = this.#options;
    const limits = [MAX_ENTRIES, counted, retention.maxLength, clock() - retention.maxAgeMs];
    const removeFrom = this.#index?.onHash === false ? index : '';
    const more = reader.client.eval(dropScript, 1, keys.stream, keys.document(''), ...limits, removeFrom);
    return (await reader.ask(more)) === 1;
  }

  #upToDate(): void {
    if (this.#failure === undefined) return;
    this.#failure = undefined;
    this.#options.log.info({ index: this.#options.index }, 'the search index is up to date');
  }

  #failed(reason: string): void {
    const { log, index } = this.#options;
    // It is looked at again, since it may have been dropped.
    this.#checkedAt = Number.NEGATIVE_INFINITY;
    if (this.#failure !== reason) log.error({ index, reason }, 'messages are not written to the search index');
    this.#failure = reason;
  }
}
