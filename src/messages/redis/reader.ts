import { bounded, TimeLimitError } from '../../bounded.ts';
import { isConnected, type RedisClient } from './connect-redis.ts';

/** The connection for all that does not write messages. */
export class Reader {
  readonly client: RedisClient;
  readonly #timeoutMs: number;

  constructor(client: RedisClient, timeoutMs: number) {
    this.client = client;
    this.#timeoutMs = timeoutMs;
  }

  get isConnected(): boolean {
    return isConnected(this.client);
  }

  /**
   * The answer to a command, within the time limit. A server that does not answer is left, and connected to again, so
   * that what was asked does not pile up.
   * @throws {TimeLimitError}, or what the command is rejected with.
   */
  async ask<T>(answer: Promise<T>): Promise<T> {
    try {
      return await bounded(answer, this.#timeoutMs);
    } catch (error) {
      if (error instanceof TimeLimitError) this.client.disconnect(true);
      throw error;
    }
  }
}
