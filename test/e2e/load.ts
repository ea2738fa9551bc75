import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { authorization, url } from './desk.ts';
import { wait } from './wait.ts';

/** What a client waits for its answer, and between two requests, in milliseconds. */
const ANSWER_MS = 20_000;
const PAUSE_MS = 10;
/** After a request failed; others would only measure how fast a client can fail. */
const AFTER_FAILURE_MS = 100;

export interface Answered {
  status: number | undefined;
  retryAfter: string | undefined;
}

export interface Outcome {
  /** Ids of the messages that were acknowledged. */
  acknowledged: string[];
  /** Answers other than 200. */
  refused: Answered[];
  /** Requests without an answer: why, and whether on a connection that had served another one before. */
  broken: { code: string; reused: boolean }[];
}

/** Clients that pitch one message after the other, each on a connection that it keeps open as long as the server does. */
export class Load {
  readonly outcome: Outcome = { acknowledged: [], refused: [], broken: [] };
  readonly #clients: Promise<void>[];
  #stopped = false;

  private constructor(connections: number, headers: Record<string, string>) {
    this.#clients = Array.from({ length: connections }, () => this.#client(headers));
  }

  /** Starts so many clients, which go on until the test ends at the latest, and waits until all is under load. */
  static async start(t: Pick<Test, 'teardown'>, { connections }: { connections: number }): Promise<Load> {
    const load = new Load(connections, { ...(await authorization()), 'content-type': 'application/json' });
    t.teardown(() => load.stop());
    await load.more(connections * 20);
    return load;
  }

  /** Waits until so many further messages were acknowledged. */
  async more(messages: number): Promise<void> {
    const goal = this.outcome.acknowledged.length + messages;
    await wait(`${messages} more messages are acknowledged`, async () => this.outcome.acknowledged.length >= goal);
  }

  async stop(): Promise<Outcome> {
    this.#stopped = true;
    await Promise.all(this.#clients);
    return this.outcome;
  }

  async #client(headers: Record<string, string>): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!this.#stopped) {
      const failed = await this.#pitch(agent, headers);
      await sleep(failed ? AFTER_FAILURE_MS : PAUSE_MS);
    }
    agent.destroy();
  }

  async #pitch(agent: Agent, headers: Record<string, string>): Promise<boolean> {
    const { acknowledged, refused, broken } = this.outcome;
    const signal = AbortSignal.timeout(ANSWER_MS);
    const sent = request(`${url}/pitch`, { method: 'POST', agent, headers, signal });
    try {
      const response = await answerTo(sent);
      const body = await text(response);
      if (response.statusCode === 200) {
        acknowledged.push(String(JSON.parse(body).objectID));
        return false;
      }
      refused.push({ status: response.statusCode, retryAfter: response.headers['retry-after'] });
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      broken.push({ code, reused: sent.reusedSocket });
    }
    return true;
  }
}

function answerTo(sent: ClientRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  sent.on('response', resolve).on('error', reject);
  sent.end(JSON.stringify({ name: 'load', payload: { system: 'e2e-load' } }));
  return promise;
}
