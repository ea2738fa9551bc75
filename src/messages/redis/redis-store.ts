import type { FastifyBaseLogger } from 'fastify';
import { bounded } from '../../bounded.ts';
import type { DependencyStatus } from '../../http/ready.ts';
import { reasonOf } from '../../reason-of.ts';
import { GroupCommit } from '../group-commit.ts';
import {
  type AppendResult,
  type Count,
  type MessageStore,
  type NewMessage,
  StillCountingError,
  type StreamSize,
} from '../message-store.ts';
import { waitingMessages } from '../waiting-messages.ts';
import { MAX_SYSTEMS, MAX_WINDOW_MS, WindowedCounts } from '../windowed-counts.ts';
import type { AckMode } from './acknowledgement.ts';
import { connectRedis } from './connect-redis.ts';
import { Projection } from './projection.ts';
import { Reader } from './reader.ts';
import { RedisCounts } from './redis-counts.ts';
import { type RedisKeys, redisKeys } from './redis-keys.ts';
import type { RedisTarget } from './redis-target.ts';
import { SearchProjection } from './search-projection.ts';
import { Writer } from './writer.ts';

/** Messages of one pipeline; one of more would hold up the event loop. */
const MAX_BATCH = 500;
/** How often the stream is counted and trimmed when nobody asks, in milliseconds. */
const COUNT_MS = 500;

export interface RedisStoreOptions {
  target: RedisTarget;
  stream: string;
  /** Name of the full-text index, if there is to be one. */
  searchIndex: string | undefined;
  retention: { maxLength: number; maxAgeMs: number };
  acknowledge: AckMode;
  /** Longest wait for an answer, in milliseconds. */
  timeoutMs: number;
  clock: () => number;
  /** What an entry is given as its id; by default the server's clock makes it. */
  entryId?: () => string;
  log: Pick<FastifyBaseLogger, 'error' | 'info' | 'warn'>;
}

/**
 * The production store: a Redis stream. Connects by itself, and again whenever it has to; until then, and whenever the
 * server does not answer, appends fail within the time limit.
 */
export class RedisStore implements MessageStore {
  readonly stream: string;
  readonly maxWindowMs = MAX_WINDOW_MS;
  readonly #options: RedisStoreOptions;
  readonly #keys: RedisKeys;
  /** Apart from each other, so that nobody who reads waits behind a write that waits for replicas. */
  readonly #writer: Writer;
  readonly #reader: Reader;
  readonly #commits: GroupCommit<NewMessage, AppendResult>;
  readonly #projection: Projection;
  readonly #counts: WindowedCounts;
  readonly #search: SearchProjection | undefined;
  readonly #counting: NodeJS.Timeout;
  #isCounting = false;
  /** Why the stream could not be counted the last time; told once. */
  #countFailure: string | undefined;

  constructor(options: RedisStoreOptions) {
    const { target, stream, searchIndex, retention, acknowledge, timeoutMs, clock, entryId = () => '*', log } = options;
    this.#options = options;
    this.stream = stream;
    this.#keys = redisKeys(stream);
    const settings = { keys: this.#keys, clock, entryId };
    this.#writer = new Writer({ target, acknowledge, timeoutMs, settings, log });
    this.#reader = new Reader(connectRedis(target, { timeoutMs, log, name: 'reader' }), timeoutMs);
    this.#commits = new GroupCommit<NewMessage, AppendResult>({
      write: (messages, tell) => this.#writer.append(messages, tell),
      isTransient: () => false,
      failed: (error) => ({ ok: false, reason: reasonOf(error) }),
      ...waitingMessages,
      maxBatch: MAX_BATCH,
      maxInFlight: () => this.#writer.maxInFlight,
      timeoutMs,
      giveUp: () => this.#writer.giveUp(),
    });
    const projection = { reader: this.#reader, keys: this.#keys, clock, log };
    // With a search index entries leave together with their documents.
    this.#projection = new Projection({ ...projection, retention: searchIndex === undefined ? retention : undefined });
    if (searchIndex !== undefined)
      this.#search = new SearchProjection({ ...projection, index: searchIndex, retention });
    this.#counts = new WindowedCounts(new RedisCounts(this.#reader, this.#keys, () => this.#projection.catchUp()));
    this.#counting = setInterval(() => void this.#count(), COUNT_MS).unref();
  }

  append(messages: readonly NewMessage[]): Promise<AppendResult[]> {
    return this.#commits.add(messages);
  }

  async counts(since: number | 'all'): Promise<readonly Count[]> {
    try {
      return await bounded(this.#counts.read(since), this.#options.timeoutMs);
    } catch (error) {
      const { progress } = this.#projection;
      throw progress === undefined ? error : new StillCountingError(progress);
    }
  }

  async size(): Promise<StreamSize> {
    const { client } = this.#reader;
    const { stream } = this.#keys;
    const [length, [first], bytes] = await this.#reader.ask(
      Promise.all([client.xlen(stream), client.xrange(stream, '-', '+', 'COUNT', 1), client.memory('USAGE', stream)]),
    );
    return { length, oldest: first && Number(first[0].split('-')[0]), bytes: Number(bytes ?? 0) };
  }

  searchUp(): boolean | undefined {
    return this.#search && this.#reader.isConnected && this.#search.failure === undefined;
  }

  async status(): Promise<DependencyStatus> {
    const reason = await this.#writer.problem();
    const { countedAsOther: other, progress } = this.#projection;
    const { searchIndex } = this.#options;
    const searchFailure = this.#search?.failure;
    const details = {
      kind: 'redis',
      stream: this.stream,
      ...(searchIndex !== undefined && {
        searchIndex: searchFailure === undefined ? searchIndex : `${searchIndex}: not up to date, ${searchFailure}`,
      }),
      ...(progress !== undefined && { counting: progress }),
      ...(other > 0 && { countedAsOther: other, maxSystems: MAX_SYSTEMS }),
      ...(reason !== undefined && { reason }),
    };
    return { ready: reason === undefined, details };
  }

  async close(): Promise<void> {
    clearInterval(this.#counting);
    await this.#commits.idle();
    this.#writer.close();
    this.#reader.client.disconnect();
  }

  async #count(): Promise<void> {
    if (!this.#reader.isConnected || this.#isCounting) return;
    this.#isCounting = true;
    try {
      const counted = await this.#projection.catchUp();
      await this.#search?.catchUp(counted);
      this.#countFailure = undefined;
    } catch (error) {
      const reason = reasonOf(error);
      if (this.#countFailure !== reason) this.#options.log.warn({ reason }, 'the stream could not be counted');
      this.#countFailure = reason;
    } finally {
      this.#isCounting = false;
    }
  }
}
