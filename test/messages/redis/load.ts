import { setTimeout as sleep } from 'node:timers/promises';
import { authorized } from '../../app.ts';
import { until } from '../../programs/until.ts';

/** Pause of a client after a failure, in milliseconds, so that it waits for the store rather than floods the service. */
const PAUSE_MS = 20;
/** How long a message may be retried, and how long the service may store nothing, in milliseconds. */
const RECOVER_MS = 40_000;

const severities = ['info', 'warning', 'critical'];

export interface LoadOptions {
  /** Where the clients send to; each to one of them. */
  urls: readonly string[];
  clients: number;
  /** Whether the `i`th message of a client has an idempotency key, and is retried until it is stored. */
  keyed: (i: number) => boolean;
}

/** Clients that send one message after the other, each with a title of its own, and what they were told of each. */
export class Load {
  /** Entry ids by title. */
  readonly acknowledged = new Map<string, string>();
  /** Titles of messages without a key that failed, and of which nobody knows whether they are stored. */
  readonly unknown = new Set<string>();
  /** Titles of messages without a key that failed for certain. */
  readonly refused = new Set<string>();
  failures = 0;
  readonly #clients: Promise<unknown>;
  #stopped = false;

  constructor({ urls, clients, keyed }: LoadOptions) {
    const all = Array.from({ length: clients }, async (_, client) => {
      const url = urls[client % urls.length] ?? '';
      for (let i = 0; !this.#stopped; i++) await this.#send(url, client, `${client}-${i}`, keyed(i));
    });
    this.#clients = Promise.all(all);
    this.#clients.catch(() => {
      this.#stopped = true;
    });
  }

  /** Waits until `count` more messages are acknowledged. */
  async acknowledges(count: number): Promise<void> {
    const enough = this.acknowledged.size + count;
    await this.#until(() => this.acknowledged.size >= enough, `${count} more messages acknowledged`);
  }

  /** Waits until `count` more requests fail. */
  async fails(count: number): Promise<void> {
    const enough = this.failures + count;
    await this.#until(() => this.failures >= enough, `${count} more requests failed`);
  }

  /** Sends no new messages, and waits until those with a key are stored. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#clients;
  }

  async #until(condition: () => boolean, what: string): Promise<void> {
    await until(
      () => condition() || this.#stopped,
      RECOVER_MS,
      () => new Error(`not within ${RECOVER_MS} ms: ${what}`),
    );
    if (!condition()) await this.#clients;
  }

  async #send(url: string, client: number, title: string, hasKey: boolean): Promise<void> {
    const severity = severities[title.length % severities.length];
    const body = JSON.stringify({ name: 'load', payload: { title, severity, system: `system-${client}` } });
    const headers = { ...authorized, ...(hasKey && { 'idempotency-key': title }) };
    for (const deadline = performance.now() + RECOVER_MS; ; ) {
      const { id, reason } = await this.#post(`${url}/pitch`, headers, body);
      if (id !== undefined) {
        this.acknowledged.set(title, id);
        return;
      }
      this.failures += 1;
      await sleep(PAUSE_MS);
      if (!hasKey) {
        (reason.includes('outcome unknown') ? this.unknown : this.refused).add(title);
        return;
      }
      if (performance.now() > deadline) throw new Error(`${title} was not stored within ${RECOVER_MS} ms: ${reason}`);
    }
  }

  async #post(url: string, headers: Record<string, string>, body: string) {
    const response = await fetch(url, { method: 'POST', headers, body });
    const answer = await response.text();
    const id = /"objectID":"([\d-]+)"/.exec(answer)?.[1];
    if (response.ok && id !== undefined) return { id, reason: '' };
    if (response.status !== 503 || !response.headers.has('retry-after')) {
      throw new Error(`neither stored nor to be retried: ${response.status} ${answer}`);
    }
    return { id: undefined, reason: answer };
  }
}
