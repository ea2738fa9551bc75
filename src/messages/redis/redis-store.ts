import type { FastifyBaseLogger } from 'fastify';
import type { DependencyStatus } from '../../http/ready.ts';
import { reasonOf } from '../../reason-of.ts';
import { GroupCommit } from '../group-commit.ts';
import type { AppendResult, Count, MessageStore, NewMessage, StreamSize } from '../message-store.ts';
import { MAX_SYSTEMS, MAX_WINDOW_MS, WindowedCounts } from '../windowed-counts.ts';
import { type AckMode, type Acknowledgement, acknowledgementOf } from './acknowledgement.ts';
import { type AppendSettings, appendBatch } from './append-batch.ts';
import { bounded } from './bounded.ts';
import { connectRedis, type RedisClient } from './connect-redis.ts';
import { Projection } from './projection.ts';
import { Reader } from './reader.ts';
import { RedisCounts } from './redis-counts.ts';
import { type RedisKeys, redisKeys } from './redis-keys.ts';
import type { RedisTarget } from './redis-target.ts';
import { RefusalLog } from './refusal-log.ts';
import { SearchProjection } from './search-projection.ts';

/** Payload characters that may wait for the server; messages beyond are refused. */
const MAX_QUEUED_CHARACTERS = 67_108_864;
/** What a queued message takes beside its payload, in characters, so that small ones are bounded too. */
const MESSAGE_OVERHEAD = 1024;
/** Messages of one pipeline; one of more would hold up the event loop. */
const MAX_BATCH = 500;
/** Pipelines under way at once: Redis works on one while the next is made up. */
const MAX_IN_FLIGHT = 2;
/** How often the stream is counted and trimmed when nobody asks, in milliseconds. */
const COUNT_MS = 500;
/** Entries that may be in the stream beyond its length: those that are not counted yet. */
const UNCOUNTED_ENTRIES = 100_000;

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
  readonly #writer: RedisClient;
  readonly #reader: Reader;
  readonly #settings: AppendSettings;
  readonly #commits: GroupCommit<NewMessage, AppendResult>;
  readonly #projection: Projection;
  readonly #counts: WindowedCounts;
  readonly #search: SearchProjection | undefined;
  readonly #refusals: RefusalLog;
  readonly #counting: NodeJS.Timeout;
  #isCounting = false;
  #acknowledgement: Acknowledgement | undefined;
  /** Why messages cannot be stored now. */
  #failure: string | undefined = 'not connected to Redis yet';

  constructor(options: RedisStoreOptions) {
    const { target, stream, searchIndex, retention, timeoutMs, clock, entryId = () => '*', log } = options;
    this.#options = options;
    this.stream = stream;
    this.#keys = redisKeys(stream);
    this.#writer = connectRedis(target, { timeoutMs, log, name: 'writer' });
    this.#reader = new Reader(connectRedis(target, { timeoutMs, log, name: 'reader' }), timeoutMs);
    this.#settings = { keys: this.#keys, maxEntries: retention.maxLength + UNCOUNTED_ENTRIES, clock, entryId };
    this.#refusals = new RefusalLog(log);
    this.#commits = new GroupCommit<NewMessage, AppendResult>({
      write: (messages) => this.#write(messages),
      isTransient: () => false,
      failed: (error) => ({ ok: false, reason: `the message store failed: ${reasonOf(error)}` }),
      size: ({ payload }) => payload.length + MESSAGE_OVERHEAD,
      maxQueued: MAX_QUEUED_CHARACTERS,
      maxBatch: MAX_BATCH,
      maxInFlight: MAX_IN_FLIGHT,
      timeoutMs,
      // What was sent and not answered must not be answered later, to somebody else's command.
      giveUp: () => this.#writer.disconnect(true),
    });
    const projection = { reader: this.#reader, keys: this.#keys, clock, log };
    // With a search index entries leave together with their documents.
    this.#projection = new Projection({ ...projection, retention: searchIndex === undefined ? retention : undefined });
    if (searchIndex !== undefined)
      this.#search = new SearchProjection({ ...projection, index: searchIndex, retention });
    this.#counts = new WindowedCounts(new RedisCounts(this.#reader, this.#keys, () => this.#projection.catchUp()));
    this.#writer.on('ready', () => void this.#prepare());
    this.#counting = setInterval(() => void this.#count(), COUNT_MS).unref();
  }

  append(messages: readonly NewMessage[]): Promise<AppendResult[]> {
    return this.#commits.add(messages);
  }

  async counts(since: number | 'all'): Promise<readonly Count[]> {
    return bounded(this.#counts.read(since), this.#options.timeoutMs);
  }

  async size(): Promise<StreamSize> {
    const { client } = this.#reader;
    const { stream } = this.#keys;
    const [length, [first], bytes] = await this.#reader.ask(
      Promise.all([client.xlen(stream), client.xrange(stream, '-', '+', 'COUNT', 1), client.memory('USAGE', stream)]),
    );
    return { length, oldest: first && Number(first[0].split('-')[0]), bytes: Number(bytes ?? 0) };
  }

  async status(): Promise<DependencyStatus> {
    await this.#probe();
    const other = this.#projection.countedAsOther;
    const { searchIndex } = this.#options;
    const searchFailure = this.#search?.failure;
    const details = {
      kind: 'redis',
      stream: this.stream,
      ...(searchIndex !== undefined && {
        searchIndex: searchFailure === undefined ? searchIndex : `${searchIndex}: not up to date, ${searchFailure}`,
      }),
      ...(other > 0 && { countedAsOther: other, maxSystems: MAX_SYSTEMS }),
      ...(this.#failure !== undefined && { reason: this.#failure }),
    };
    return { ready: this.#failure === undefined, details };
  }

  async close(): Promise<void> {
    clearInterval(this.#counting);
    // An empty append ends after everything that was appended before it.
    await this.append([]);
    this.#writer.disconnect();
    this.#reader.client.disconnect();
  }

  /** Finds out what the server that is connected to can do. */
  async #prepare(): Promise<void> {
    const { acknowledge, timeoutMs, log } = this.#options;
    try {
      this.#acknowledgement = await bounded(acknowledgementOf(this.#writer, acknowledge, timeoutMs), timeoutMs);
      this.#failure = undefined;
    } catch (error) {
      this.#acknowledgement = undefined;
      this.#failure = reasonOf(error);
      log.error({ reason: this.#failure }, 'messages cannot be stored');
    }
  }

  #write(messages: readonly NewMessage[]): Promise<AppendResult[]> {
    const { status } = this.#writer;
    if (status !== 'ready' || this.#acknowledgement === undefined) {
      this.#failure ??= `not connected to Redis (${status})`;
      if (messages.length > 0) this.#refusals.refused(messages.length, this.#failure);
      throw new Error(this.#failure);
    }
    return this.#append(messages, this.#acknowledgement);
  }

  async #append(messages: readonly NewMessage[], acknowledgement: Acknowledgement): Promise<AppendResult[]> {
    const results = await appendBatch(this.#writer, messages, acknowledgement, this.#settings);
    const refused = results.filter((result) => !result.ok);
    this.#failure = refused[0]?.reason;
    if (this.#failure === undefined) this.#refusals.stored();
    else this.#refusals.refused(refused.length, this.#failure);
    return results;
  }

  /** Writes something short-lived: only a write proves that writes work, e.g. that the server is no replica and has memory. */
  async #probe(): Promise<void> {
    if (this.#acknowledgement === undefined) return;
    try {
      await this.#reader.ask(this.#reader.client.set(this.#keys.probe, '1', 'PX', 1000));
      this.#failure = undefined;
    } catch (error) {
      this.#failure = reasonOf(error);
    }
  }

  async #count(): Promise<void> {
    if (!this.#reader.isConnected || this.#isCounting) return;
    this.#isCounting = true;
    try {
      const counted = await this.#projection.catchUp();
      await this.#search?.catchUp(counted);
    } catch (error) {
      this.#options.log.warn({ reason: reasonOf(error) }, 'the stream could not be counted');
    } finally {
      this.#isCounting = false;
    }
  }
}
