import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { Test } from 'tap';
import { authorized, startApp, token } from '../../app.ts';
import { until } from '../../programs/until.ts';

/** Of the server, and what the application is told unless a test tells it another. */
export const password = 'p@ss/word';
/** `STREAM_TIMEOUT`, in milliseconds; short, so that tests are. */
export const TIMEOUT_MS = 500;
/** How long an outage may take to be noticed, or to be over, in milliseconds. */
const CHANGE_MS = 15_000;

/** The real application on a real server. */
export interface AppOnRedis {
  app: FastifyInstance;
  get(path: string): Promise<LightMyRequestResponse>;
  pitch(name: string, key?: string, payload?: object): Promise<LightMyRequestResponse>;
  alert(alerts: readonly unknown[]): Promise<LightMyRequestResponse>;
  /** Waits until `/ready` says that the store is down, for this reason. */
  untilDown(reason: RegExp): Promise<void>;
  untilReady(): Promise<void>;
  /** Waits until `path` is answered with 200. */
  untilAnswered(path: string): Promise<void>;
  log(): string;
  /** Everything that was answered and logged so far. */
  told(): string;
}

export async function appOnRedis(
  t: Test,
  { host, port }: { host: string; port: number },
  env: Record<string, string> = {},
): Promise<AppOnRedis> {
  const lines: string[] = [];
  const logger = { level: 'info', stream: { write: (line: string) => lines.push(line) } };
  const stream = { STREAM_ADDR: host, STREAM_PORT: String(port), STREAM_PASSWORD: password };
  const app = await startApp(t, { ...stream, STREAM_TIMEOUT: `${TIMEOUT_MS}ms`, ...env }, { logger });
  const bodies: string[] = [];
  const kept = (response: LightMyRequestResponse) => {
    bodies.push(response.body);
    return response;
  };
  const get = async (url: string) => kept(await app.inject({ url, headers: authorized }));
  const post = async (url: string, payload: object, headers: object = {}) =>
    kept(await app.inject({ method: 'POST', url, headers: { ...authorized, ...headers }, payload }));
  const untilStore = (status: 'up' | 'down', reason: RegExp) =>
    until(
      async () => {
        const { store } = (await get('/ready')).json().dependencies;
        return store.status === status && reason.test(store.reason ?? '');
      },
      CHANGE_MS,
      (cause) => new Error(`the store was never ${status} ${reason}: ${bodies.at(-1)}`, { cause }),
    );

  return {
    app,
    get,
    pitch: (name, key, payload = {}) =>
      post('/pitch', { name, payload }, key === undefined ? {} : { 'idempotency-key': key }),
    alert: (alerts) => post('/pitch/alerting', alerts),
    untilDown: (reason) => untilStore('down', reason),
    untilReady: () => untilStore('up', /^$/),
    untilAnswered: (path) =>
      until(
        async () => (await get(path)).statusCode === 200,
        CHANGE_MS,
        (cause) => new Error(`${path} was never answered with 200: ${bodies.at(-1)}`, { cause }),
      ),
    log: () => lines.join(''),
    told: () => [...bodies, ...lines].join('\n'),
  };
}

/** Checks that no secret was told: neither of the server nor of the service. */
export function toldNoSecret(t: Test, { told }: AppOnRedis, ...others: string[]): void {
  for (const secret of [password, encodeURIComponent(password), token, ...others]) {
    t.notOk(told().includes(secret), 'no secret is told');
  }
}
