import tap, { type Test, test } from 'tap';
import { authorized, startApp } from '../../app.ts';
import { until } from '../../programs/until.ts';
import { startRedis } from '../../redis/redis-server.ts';
import { someMessage } from '../some-message.ts';
import { entriesOf } from './accounts.ts';
import { fill, recount, sorted, total } from './foreign-stream.ts';
import { openRedisStore, standaloneClient, standaloneTarget } from './open-redis-store.ts';

const LENGTH = 250_000;
/** How long that many entries may take to be counted, in milliseconds. */
const COUNT_MS = 60_000;

const server = await startRedis(tap);
const client = standaloneClient(server);
tap.teardown(() => client.disconnect());

async function streamBefore(stream: string): Promise<void> {
  await fill(client, stream, LENGTH, (i) => ['system', `system-${i % 5}`, 'severity', i % 2 ? 'info' : 'error']);
}

async function appOn(t: Test, stream: string, timeout: string) {
  const lines: string[] = [];
  const logger = { level: 'info', stream: { write: (line: string) => lines.push(line) } };
  const env = { STREAM_URL: server.url, STREAM_NAME: stream, STREAM_TIMEOUT: timeout };
  const app = await startApp(t, env, { logger });
  const get = (url: string) => app.inject({ url, headers: authorized });
  const pitch = () =>
    app.inject({ method: 'POST', url: '/pitch', headers: authorized, payload: { name: 'n', payload: {} } });
  await until(
    async () => (await app.inject('/ready')).statusCode === 200,
    COUNT_MS,
    () => new Error('the service was never ready'),
  );
  return { get, pitch, log: () => lines.join('') };
}

test('a stream from before Frontdesk is counted while messages are taken, and the log tells of it', async (t) => {
  await streamBefore('before');
  const { get, pitch, log } = await appOn(t, 'before', '2s');
  let counted = false;
  const asked = get('/analytics/summary?window=all').finally(() => {
    counted = true;
  });
  let pitched = 0;
  while (!counted) {
    t.equal((await pitch()).statusCode, 200);
    pitched += 1;
  }
  const { statusCode, body } = await asked;
  t.ok(statusCode === 503 || JSON.parse(body).totalMessages >= LENGTH, 'no answer is short of a message');
  const isExact = async () => {
    const answer = await get('/analytics/summary?window=all');
    return answer.statusCode === 200 && answer.json().totalMessages === LENGTH + pitched;
  };
  await until(isExact, COUNT_MS, (cause) => new Error('it was never counted', { cause }));
  t.ok(pitched > 10, 'messages were taken meanwhile');
  t.match(log(), /"counted":\d{6},"length":25\d{4},"msg":"counting the stream"/);
  t.match(log(), /"msg":"the stream is counted"/);
});

test('analytics that cannot be answered in time yet are 503 and say why', async (t) => {
  await streamBefore('long');
  const { get } = await appOn(t, 'long', '50ms');
  const reasons = new Set<string>();
  const counted = async () => {
    const { statusCode, headers, body } = await get('/analytics/summary?window=all');
    if (statusCode === 200) return JSON.parse(body).totalMessages === LENGTH;
    t.equal(statusCode, 503);
    t.equal(headers['retry-after'], '1');
    reasons.add(JSON.parse(body).error);
    return false;
  };
  await until(counted, COUNT_MS, (cause) => new Error('it was never counted', { cause }));
  t.match([...reasons].join('\n'), /^the stream is still being counted: \d+ entries so far$/m);
});

test('what is not counted yet is not trimmed', async (t) => {
  await streamBefore('surplus');
  const retention = { maxLength: 1000, maxAgeMs: 3_600_000 };
  const store = await openRedisStore(t, standaloneTarget(server), { stream: 'surplus', retention });
  for (let i = 0; i < 10; i++) t.match(await store.append([someMessage()]), [{ ok: true }]);
  await until(
    async () => (await store.counts('all').catch(() => [])).length > 0,
    COUNT_MS,
    (cause) => new Error('it was never counted', { cause }),
  );
  t.equal(total(await store.counts('all')), LENGTH + 10);
});

test('entries of a megabyte are counted a few at a time', async (t) => {
  await fill(client, 'large', 100, () => ['system', 'a', 'severity', 'info', 'payload', 'x'.repeat(1_000_000)]);
  await server.cli('CONFIG', 'RESETSTAT');
  const store = await openRedisStore(t, standaloneTarget(server), { stream: 'large' });
  t.strictSame(sorted(await store.counts('all')), await recount(client, 'large'));
  t.equal((await entriesOf(client, 'large')).length, 100);
  const calls = Number(/cmdstat_eval\w*:calls=(\d+)/.exec(await server.cli('INFO', 'commandstats'))?.[1]);
  t.ok(calls >= 6, `${calls} runs, none of more than 16 entries`);
});
