import { startRedis } from '../test/redis/redis-server.ts';
import { longestLag } from './event-loop-lag.ts';
import { median } from './median.ts';
import { alertGroup } from './payloads.ts';
import { token } from './rows.ts';
import { startServer } from './server-process.ts';

/** Alerts of the payload. */
export const LARGE = 10_000;

const authorization = `Bearer ${token}`;

export interface LargePayload {
  /** From the request to its answer. */
  seconds: number;
  /** Longest time in which the server did nothing else, in milliseconds. */
  blockedMs: number;
}

/** Sends one payload of many alerts `rounds` times, the messages going to Redis; medians. `dir` is for state. */
export async function measureLargePayload(rounds: number, dir: string): Promise<LargePayload> {
  await using started = new AsyncDisposableStack();
  const { host, port } = await startRedis({ teardown: (end) => started.defer(async () => end()) });
  const redis = { STREAM_ADDR: host, STREAM_PORT: String(port) };
  const env = { AUTH_TOKEN: token, DATA_DIR: dir, MAX_BODY_BYTES: String(2 ** 26), ...redis };
  const server = await startServer({ entry: 'src/main.ts', env });
  started.defer(() => server.stop());
  // The first warms up.
  await sendOnce(server.url);
  const sent: LargePayload[] = [];
  for (let round = 0; round < rounds; round++) sent.push(await sendOnce(server.url));
  return {
    seconds: median(sent.map(({ seconds }) => seconds)),
    blockedMs: median(sent.map(({ blockedMs }) => blockedMs)),
  };
}

async function sendOnce(url: string): Promise<LargePayload> {
  const body = alertGroup(LARGE);
  await longestLag(url);
  const startedAt = performance.now();
  const headers = { authorization, 'content-type': 'application/json' };
  const response = await fetch(`${url}/pitch/alerting`, { method: 'POST', headers, body });
  const answer = await response.text();
  const seconds = (performance.now() - startedAt) / 1000;
  if (response.status !== 200 || !answer.includes(`${LARGE} of ${LARGE} alerts enqueued`)) {
    throw new Error(`answered ${response.status}: ${answer.slice(0, 500)}`);
  }
  return { seconds, blockedMs: await longestLag(url) };
}
