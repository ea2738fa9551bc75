import type { FastifyBaseLogger } from 'fastify';
import { reasonOf } from '../../reason-of.ts';
import { MAX_SYSTEMS, MAX_WINDOW_MS } from '../windowed-counts.ts';
import { countScript } from './count-script.ts';
import type { Reader } from './reader.ts';
import type { RedisKeys } from './redis-keys.ts';

/** Entries and bytes that one run of the script takes on: messages wait while it runs. */
const MAX_ENTRIES = 250;
const MAX_BYTES = 4_194_304;
const MAX_SEVERITIES = 64;
/** Buckets outlive the longest window by two hours. */
const BUCKET_SECONDS = MAX_WINDOW_MS / 1000 + 7200;
/** Entries between two lines of progress on a long stream that is counted for the first time. */
const PROGRESS = 100_000;

export interface ProjectionOptions {
  reader: Reader;
  keys: RedisKeys;
  /** What the stream is trimmed to; undefined where somebody else trims it. */
  retention: { maxLength: number; maxAgeMs: number } | undefined;
  clock: () => number;
  log: Pick<FastifyBaseLogger, 'info'>;
}

/** The projection of a stream into counts: it moves a cursor along the stream, and adds to buckets what it passes. */
export class Projection {
  readonly #options: ProjectionOptions;
  #running: Promise<string> | undefined;
  #next: Promise<string> | undefined;
  #other = 0;
  /** Entries that the run under way has counted so far. */
  #total = 0;

  constructor(options: ProjectionOptions) {
    this.#options = options;
  }

  /** Messages ever counted under `overflowSystem`. */
  get countedAsOther(): number {
    return this.#other;
  }

  /** How far a long stream is counted, while it takes more than one step. */
  get progress(): string | undefined {
    return this.#total === 0 ? undefined : `${this.#total} entries so far`;
  }

  /**
   * Counts all that was appended before the call, and maybe some more.
   * @returns the last entry that is counted. Rejects if Redis is away.
   */
  catchUp(): Promise<string> {
    if (this.#running === undefined) return this.#start();
    // The run under way may have looked before the latest append: everyone who comes during it shares the one after it.
    this.#next ??= this.#running.then(
      () => this.#start(),
      () => this.#start(),
    );
    return this.#next;
  }

  #start(): Promise<string> {
    this.#next = undefined;
    this.#running = this.#run().finally(() => {
      this.#total = 0;
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(): Promise<string> {
    const { log, reader, keys } = this.#options;
    const { stream } = keys;
    for (let told = 0; ; ) {
      const { cursor, counted, all } = await this.#step();
      if (all) {
        if (told > 0) log.info({ stream, counted: this.#total + counted }, 'the stream is counted');
        return cursor;
      }
      this.#total += counted;
      if (this.#total - told < PROGRESS) continue;
      told = this.#total;
      const length = await reader.ask(reader.client.xlen(stream));
      log.info({ stream, counted: told, length }, 'counting the stream');
    }
  }

  async #step() {
    const { reader, keys, retention, clock } = this.#options;
    const answer: unknown = await reader.ask(
      reader.client.eval(
        countScript,
        8,
        ...[keys.stream, keys.counted, keys.hours, keys.systems, keys.severities, keys.allTime, keys.absent],
        keys.unfinished,
        ...[keys.prefix, MAX_ENTRIES, MAX_BYTES, MAX_SYSTEMS, MAX_SEVERITIES, BUCKET_SECONDS],
        ...[retention?.maxLength ?? 0, `${Math.max(0, clock() - (retention?.maxAgeMs ?? 0))}-0`],
      ),
    );
    if (!Array.isArray(answer)) throw new Error(`the stream could not be counted: ${reasonOf(answer)}`);
    const [cursor, counted, all, other] = answer;
    this.#other = Number(other);
    return { cursor: String(cursor), counted: Number(counted), all: all === 1 };
  }
}
