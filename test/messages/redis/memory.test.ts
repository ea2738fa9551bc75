import { test } from 'tap';
import { authorized } from '../../app.ts';
import { runMain } from '../../process.ts';
import { until } from '../../programs/until.ts';
import { startRedis } from '../../redis/redis-server.ts';

const MB = 1_048_576;
/** What the process may keep, in MB: less than half of what is sent, and more than may wait. */
const HEAP_MB = 512;
const rounds = 3;
/** Messages sent in a round, in MB, while Redis hangs. */
const ROUND_MB = 400;
const READY_MS = 15_000;
/** Messages of almost the largest size, one of each client: more than may wait, all together. */
const clients = 100;
const large = 'x'.repeat(MB - 1000);

test('under load with Redis hung again and again messages beyond a limit are refused, and memory stays bounded', async (t) => {
  const server = await startRedis(t);
  const stream = { STREAM_ADDR: server.host, STREAM_PORT: String(server.port), STREAM_TIMEOUT: '3s' };
  // A process that kept what it refused, or gave up, would end for lack of memory.
  const env = { ...stream, NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` };
  const { url, child, output } = await runMain(t, env);
  const told = new Set<string>();
  for (let round = 0; round < rounds; round++) {
    await untilReady(url);
    server.pause();
    for (const answer of await send(ROUND_MB, () => pitch(url, large))) told.add(answer);
    server.resume();
  }
  await untilReady(url);
  t.equal(child.exitCode, null, output().stderr.slice(-1000));
  const answers = [...told].join('\n');
  t.match(answers, /too many messages are waiting for the store/);
  t.match(answers, /no answer within/);
  t.notMatch(answers, /undefined|Message enqueued/);
});

/** Sends so many messages from all clients; what each was told. */
async function send(messages: number, sendOne: () => Promise<string>): Promise<string[]> {
  const told: string[] = [];
  let sent = 0;
  const client = async () => {
    while (sent++ < messages) told.push(await sendOne());
  };
  await Promise.all(Array.from({ length: clients }, client));
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
