import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'tap';
import { authorized } from '../../app.ts';
import { runMain } from '../../process.ts';
import { startRedis } from '../../redis/redis-server.ts';
import { until } from '../../redis/until.ts';

const MB = 1_048_576;
/** What the process may keep, in MB: less than is sent in one round, and more than may wait. */
const HEAP_MB = 512;
const rounds = 3;
/** How long Redis hangs under load in a round, in milliseconds; much longer than a message may wait. */
const HANG_MS = 5000;
const READY_MS = 15_000;
/** Messages of almost the largest size, one of each client: more than may wait, all together. */
const clients = 100;
const large = 'x'.repeat(MB - 1000);

test('under load with Redis hung again and again messages beyond a limit are refused, and memory stays bounded', async (t) => {
  const server = await startRedis(t);
  const stream = { STREAM_ADDR: server.host, STREAM_PORT: String(server.port), STREAM_TIMEOUT: '1s' };
  // A process that kept what it refused, or gave up, would end for lack of memory.
  const env = { ...stream, NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` };
  const { url, child, output } = await runMain(t, env);
  let megabytes = 0;
  for (let round = 0; round < rounds; round++) {
    await untilReady(url);
    server.pause();
    const reasons = await loadFor(HANG_MS, () => pitch(url, large));
    server.resume();
    megabytes += reasons.length;
    const told = [...new Set(reasons)].join('\n');
    t.match(told, /too many messages are waiting for the store/);
    t.match(told, /no answer within/);
    t.notMatch(told, /undefined|Message enqueued/);
  }
  await untilReady(url);
  t.equal(child.exitCode, null, output().stderr.slice(-1000));
  t.ok(megabytes > 2 * HEAP_MB, `${megabytes} MB of messages with ${HEAP_MB} MB of memory`);
});

/** Sends from all clients for so long; what each was told. */
async function loadFor(ms: number, send: () => Promise<string>): Promise<string[]> {
  const told: string[] = [];
  const ended = sleep(ms, true);
  let going = true;
  const all = Array.from({ length: clients }, async () => {
    while (going) told.push(await send());
  });
  await ended;
  going = false;
  await Promise.all(all);
  return told;
}

async function pitch(url: string, text: string): Promise<string> {
  const body = JSON.stringify({ name: 'load', payload: { text } });
  const response = await fetch(`${url}/pitch`, { method: 'POST', headers: authorized, body });
  const answer: unknown = await response.json();
  return typeof answer === 'object' && answer !== null && 'message' in answer ? String(answer.message) : 'undefined';
}

async function untilReady(url: string): Promise<void> {
  await until(
    async () => (await fetch(`${url}/ready`)).ok,
    READY_MS,
    () => new Error('never ready'),
  );
}
