import type { FastifyBaseLogger } from 'fastify';
import { bounded, TimeLimitError } from '../../bounded.ts';
import { reasonOf } from '../../reason-of.ts';
import type { NewMessage } from '../message-store.ts';
import { type AckMode, type Acknowledgement, acknowledgementOf, atOnce } from './acknowledgement.ts';
import { append, type Tell } from './append.ts';
import type { AppendSettings } from './append-message.ts';
import { connectRedis, isConnected, type RedisClient } from './connect-redis.ts';
import { UNEXPLAINED } from './outage-log.ts';
import type { RedisTarget } from './redis-target.ts';
import { RefusalLog } from './refusal-log.ts';
import { writeProbe } from './write-probe.ts';

/** How soon a server that could not tell what it can do is asked again, in milliseconds. */
const ASK_AGAIN_MS = 1000;
/** Part of the time limit that a server may wait for disks and replicas, so that it can still tell of those it waits for. */
const WAIT_PART = 0.8;
/** Messages that may be on their way to the server while others are sent. */
const MAX_IN_FLIGHT = 1000;
const NOT_CONNECTED = 'not connected to Redis yet';

export interface WriterOptions {
  target: RedisTarget;
  acknowledge: AckMode;
  /** Longest wait for an answer, in milliseconds. */
  timeoutMs: number;
  settings: AppendSettings;
  log: Pick<FastifyBaseLogger, 'error' | 'info' | 'warn'>;
}

/** The connection that messages are written by. It alone knows whether they can be stored now, and why not. */
export class Writer {
  readonly #options: WriterOptions;
  readonly #client: RedisClient;
  readonly #refusals: RefusalLog;
  /** How the server that is connected to acknowledges, once that is known. */
  #acknowledgement: Acknowledgement | undefined;
  /** Why connecting or writing did not work, if the last attempt did not. */
  #failure: string | undefined;
  #askAgain: NodeJS.Timeout | undefined;

  constructor(options: WriterOptions) {
    const { target, timeoutMs, log } = options;
    this.#options = options;
    this.#refusals = new RefusalLog(log);
    const failed = (reason: string) => {
      this.#failure = reason;
    };
    this.#client = connectRedis(target, { timeoutMs, log, name: 'writer', failed });
    this.#client.on('ready', () => void this.#prepare());
    this.#client.on('close', () => {
      clearTimeout(this.#askAgain);
      this.#acknowledgement = undefined;
      this.#failure ??= UNEXPLAINED;
    });
  }

  /** Messages of which others need not await the answers. What waits for disks and replicas waits for all that came before. */
  get maxInFlight(): number {
    return this.#acknowledgement === atOnce ? MAX_IN_FLIGHT : 1;
  }

  /**
   * Tells the result of each message by its index; resolves after the last, and never rejects.
   * @throws at once where there is no connection.
   */
  append(messages: readonly NewMessage[], tell: Tell): Promise<void> {
    const acknowledgement = this.#ready();
    if (acknowledgement !== undefined) return this.#append(messages, acknowledgement, tell);
    const reason = this.#failure ?? NOT_CONNECTED;
    if (messages.length > 0) this.#refusals.refused(messages.length, reason);
    throw new Error(reason);
  }

  /** Why messages cannot be stored now; undefined if they can, which only a write proves. */
  async problem(): Promise<string | undefined> {
    const acknowledgement = this.#ready();
    if (acknowledgement === undefined) return this.#failure ?? NOT_CONNECTED;
    const { timeoutMs, settings } = this.#options;
    try {
      await bounded(writeProbe(this.#client, acknowledgement, settings.keys), timeoutMs);
      this.#failure = undefined;
    } catch (error) {
      this.#failed(reasonOf(error));
    }
    return this.#failure;
  }

  /** Leaves a server that does not answer: what was sent must not be answered later, to somebody else's command. */
  giveUp(): void {
    this.#failure = new TimeLimitError(this.#options.timeoutMs).message;
    this.#client.disconnect(true);
  }

  close(): void {
    clearTimeout(this.#askAgain);
    this.#client.disconnect();
  }

  #ready(): Acknowledgement | undefined {
    return isConnected(this.#client) ? this.#acknowledgement : undefined;
  }

  /** What goes wrong because the connection went is told by that. */
  #failed(reason: string): void {
    if (this.#client.status === 'ready') this.#failure = reason;
  }

  /** Finds out what the server that is connected to can do. */
  async #prepare(): Promise<void> {
    const { acknowledge, timeoutMs, settings, log } = this.#options;
    const waitMs = Math.ceil(timeoutMs * WAIT_PART);
    try {
      await bounded(writeProbe(this.#client, atOnce, settings.keys), timeoutMs);
      this.#acknowledgement = await bounded(acknowledgementOf(this.#client, acknowledge, waitMs), timeoutMs);
    } catch (error) {
      if (this.#client.status !== 'ready') return;
      const reason = reasonOf(error);
      if (this.#failure !== reason) log.error({ reason }, 'messages cannot be stored');
      this.#failure = reason;
      this.#askAgain = setTimeout(() => void this.#prepare(), ASK_AGAIN_MS).unref();
    }
  }

  async #append(messages: readonly NewMessage[], acknowledgement: Acknowledgement, tell: Tell): Promise<void> {
    let refused = 0;
    let reason: string | undefined;
    const counting: Tell = (index, result) => {
      if (!result.ok) {
        refused += 1;
        reason ??= result.reason;
      }
      tell(index, result);
    };
    const { settings } = this.#options;
    await append({ client: this.#client, messages, settings, tell: counting }, acknowledgement);
    if (reason === undefined) {
      this.#failure = undefined;
      this.#refusals.stored();
    } else {
      this.#failed(reason);
      this.#refusals.refused(refused, reason);
    }
  }
}
