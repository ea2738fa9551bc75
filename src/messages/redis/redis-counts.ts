import type { ChainableCommander } from 'ioredis';
import type { Count } from '../message-store.ts';
import { type Buckets, firstWholeHour, minuteMs, sum } from '../windowed-counts.ts';
import type { Reader } from './reader.ts';
import type { RedisKeys } from './redis-keys.ts';

/** The count buckets of one stream in Redis, as `countScript` keeps them. */
export class RedisCounts implements Buckets {
  readonly #reader: Reader;
  readonly #keys: RedisKeys;
  readonly #countAll: () => Promise<string>;

  /** `countAll` counts what is pending, and resolves to the last entry that is counted. */
  constructor(reader: Reader, keys: RedisKeys, countAll: () => Promise<string>) {
    this.#reader = reader;
    this.#keys = keys;
    this.#countAll = countAll;
  }

  async latest() {
    const id = await this.#countAll();
    return { id, minute: Math.floor(Number(id.split('-')[0]) / minuteMs) };
  }

  async allTime(): Promise<Count[]> {
    return this.#read((batch) => batch.hgetall(this.#keys.allTime));
  }

  async between(from: number, to: number): Promise<Count[]> {
    const wholeHours = firstWholeHour(from, to);
    const end = Number.isFinite(to) ? `(${to}` : '+inf';
    const hours = await this.#reader.ask(this.#reader.client.zrange(this.#keys.hours, wholeHours, end, 'BYSCORE'));
    return this.#read((batch) => {
      for (let minute = from; minute < wholeHours; minute++) batch.hgetall(this.#keys.minute(minute));
      for (const hour of hours) batch.hgetall(this.#keys.hour(Number(hour)));
    });
  }

  async #read(ask: (batch: ChainableCommander) => void): Promise<Count[]> {
    const batch = this.#reader.client.pipeline();
    ask(batch);
    // In a cluster, refused while buckets are on their way to another node: those that are not there would be missed.
    batch.exists(this.#keys.allTime, this.#keys.absent);
    const answers = (await this.#reader.ask(batch.exec())) ?? [];
    return sum(
      ...answers.map(([error, bucket]) => {
        if (error) throw error;
        return Object.entries(bucket ?? {}).map(([labels, count]) => countOf(labels, Number(count)));
      }),
    );
  }
}

function countOf(labels: string, count: number): Count {
  const end = labels.indexOf('\n');
  return { severity: labels.slice(0, end), system: labels.slice(end + 1), count };
}
