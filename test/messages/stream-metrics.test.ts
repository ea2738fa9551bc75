import tap, { type Test, test } from 'tap';
import { authorized, startApp } from '../app.ts';
import { until } from '../programs/until.ts';
import { startRedis } from '../redis/redis-server.ts';
import { standaloneClient } from './redis/open-redis-store.ts';

const minute = 60_000;
/** `STREAM_TIMEOUT`, in milliseconds, and by when metrics are answered: a lot later for a busy machine. */
const TIMEOUT_MS = 300;
const ANSWER_MS = TIMEOUT_MS + 3000;
const CHANGE_MS = 20_000;

const names = ['frontdesk_stream_length', 'frontdesk_stream_bytes', 'frontdesk_stream_oldest_entry_age_seconds'];

const server = await startRedis(tap);
const client = standaloneClient(server);
client.on('error', () => undefined);
tap.teardown(() => client.disconnect());

test('the first reading tells length, bytes and age as the server does', async (t) => {
  const now = Date.now();
  const { gauges } = await start(t, { STREAM_NAME: 'read' }, () => now);
  for (const ago of [10 * minute, minute, 0]) await client.xadd('read', `${now - ago}-*`, 'system', 'x'.repeat(1000));
  t.strictSame(await gauges(), [3, Number(await client.memory('USAGE', 'read')), 600]);
  await client.xtrim('read', 'MAXLEN', 1);
  t.strictSame(await gauges(), [1, Number(await client.memory('USAGE', 'read')), 0], 'no reading is of the last one');
});

test('an empty stream has no oldest entry', async (t) => {
  const { gauges } = await start(t, { STREAM_NAME: 'empty' });
  t.strictSame(await gauges(), [0, 0, undefined]);
});

test('of the embedded store they are told as well', async (t) => {
  const app = await startApp(t);
  await app.inject({ method: 'POST', url: '/pitch', headers: authorized, payload: { name: 'a', payload: {} } });
  const { body } = await app.inject('/metrics');
  t.match(body, /^frontdesk_stream_length 1$/m);
  t.match(body, /^frontdesk_stream_bytes [1-9]\d*$/m);
  t.match(body, /^frontdesk_stream_oldest_entry_age_seconds \d/m);
});

test('while the store is away there are none, and readings are answered; then there are again', async (t) => {
  const { gauges } = await start(t, { STREAM_NAME: 'away' });
  await client.xadd('away', '*', 'system', 'a');
  t.match(await gauges(), [1, Number, Number]);
  server.pause();
  t.teardown(() => server.resume());
  for (let i = 0; i < 3; i++) t.strictSame(await gauges(), [undefined, undefined, undefined], 'hung');
  server.resume();
  await until(
    async () => (await gauges())[0] === 1,
    CHANGE_MS,
    () => new Error('the gauges never came back'),
  );
  await server.kill();
  t.strictSame(await gauges(), [undefined, undefined, undefined], 'gone');
  await server.start();
  await until(
    async () => (await gauges())[0] === 0,
    CHANGE_MS,
    () => new Error('the gauges never came back'),
  );
});

test('many readings at once are all answered alike', async (t) => {
  const { gauges } = await start(t, { STREAM_NAME: 'many' });
  await client.xadd('many', '*', 'system', 'a');
  const readings = await Promise.all(Array.from({ length: 20 }, () => gauges()));
  for (const reading of readings) t.match(reading, [1, Number, Number]);
});

/** `gauges` reads the metrics, in the order of `names`; in time. */
async function start(t: Test, env: Record<string, string>, clock: () => number = Date.now) {
  const settings = { STREAM_URL: server.url, STREAM_TIMEOUT: `${TIMEOUT_MS}ms`, ...env };
  const app = await startApp(t, settings, { clock });
  await until(
    async () => (await app.inject('/ready')).statusCode === 200,
    CHANGE_MS,
    (cause) => new Error('the service was never ready', { cause }),
  );
  const gauges = async () => {
    const sent = performance.now();
    const { statusCode, body } = await app.inject('/metrics');
    t.ok(performance.now() - sent < ANSWER_MS, 'is answered in time');
    t.equal(statusCode, 200);
    return names.map((name) => {
      const value = new RegExp(`^${name} (.*)$`, 'm').exec(body)?.[1];
      return value === undefined ? undefined : Number(value);
    });
  };
  return { gauges };
}
