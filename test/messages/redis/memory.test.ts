import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'tap';
import { authorized } from '../../app.ts';
import { runMain } from '../../process.ts';
import { startRedis } from '../../redis/redis-server.ts';
import { until } from '../../redis/until.ts';

const MB = 1_048_576;
/** How long Redis hangs under load, in milliseconds; much longer than a message may wait. */
const HANG_MS = 6000;
const READY_MS = 15_000;
/** How long the process may take to give back what it had in use, in milliseconds. */
const RELEASE_MS = 30_000;
/** Messages of almost the largest size, one of each client: more than may wait, all together. */
const clients = 100;
const large = 'x'.repeat(MB - 1000);

test('under load with Redis hung messages beyond a limit are refused, and the memory is given back', async (t) => {
  const server = await startRedis(t);
  const stream = { STREAM_ADDR: server.host, STREAM_PORT: String(server.port), STREAM_TIMEOUT: '1s' };
  const { url } = await runMain(t, { ...stream, LOG_LEVEL: 'info' });
  await untilReady(url);
  // What is compiled and kept at the first requests is not counted.
  for (let i = 0; i < 20; i++) await Promise.all(Array.from({ length: 50 }, () => pitch(url, 'small')));
  const before = await memoryOf(url);

  server.pause();
  const reasons = await loadFor(HANG_MS, () => pitch(url, large));
  const told = [...new Set(reasons)].join('\n');
  t.match(told, /too many messages are waiting for the store/);
  t.match(told, /no answer within/);
  t.notMatch(told, /undefined|Message enqueued/);
  server.resume();
  await untilReady(url);

  await until(
    async () => {
      // Without work nothing is collected.
      await Promise.all(Array.from({ length: 50 }, () => pitch(url, 'small')));
      const { heap, external } = await memoryOf(url);
      return heap < 2 * before.heap && external < before.external + 32 * MB;
    },
    RELEASE_MS,
    () => new Error('the memory was not given back'),
  );
  const { resident } = await memoryOf(url);
  t.ok(resident < 3 * before.resident, `resident: ${before.resident / MB} MB before, ${resident / MB} MB after`);
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

/** What the process says of its memory, in bytes. */
async function memoryOf(url: string) {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const value = (name: string) => {
    const text = new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics)?.[1];
    if (text === undefined) throw new Error(`no metric ${name}`);
    return Number(text);
  };
  return {
    heap: value('nodejs_heap_size_used_bytes'),
    external: value('nodejs_external_memory_bytes'),
    resident: value('process_resident_memory_bytes'),
  };
}
