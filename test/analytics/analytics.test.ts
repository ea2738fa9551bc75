import { type Test, test } from 'tap';
import { authorized, startApp } from '../app.ts';

const minute = 60_000;
const hour = 60 * minute;
const start = Date.UTC(2026, 10, 21, 10, 30, 0);

test('the analytics endpoints need the bearer token', async (t) => {
  const app = await startApp(t);
  for (const url of ['/analytics/summary', '/analytics/systems', '/analytics/alerts']) {
    const missing = await app.inject(url);
    t.equal(missing.statusCode, 401);
    t.same(missing.json(), { error: 'missing authorization header' });
    for (const authorization of [
      'Bearer wrong',
      'Bearer ',
      'Basic dGVzdC10b2tlbg==',
      'test-token',
      'Bearer test-token2',
    ]) {
      const invalid = await app.inject({ url, headers: { authorization } });
      t.equal(invalid.statusCode, 401, authorization);
      t.same(invalid.json(), { error: 'invalid token' });
      t.equal(invalid.headers['www-authenticate'], 'Bearer');
    }
    t.equal((await app.inject({ url, headers: { authorization: 'bearer test-token' } })).statusCode, 200);
  }
});

test('with no messages every documented key is there, at zero', async (t) => {
  const { get } = await desk(t);
  t.same(await get('/analytics/summary'), {
    totalMessages: 0,
    severityCounts: { info: 0, success: 0, warning: 0, error: 0, critical: 0 },
    timeWindow: '24h',
    lastUpdated: new Date(start).toISOString(),
  });
  t.same(await get('/analytics/systems'), {
    systems: [],
    total: 0,
    timeWindow: '24h',
    lastUpdated: new Date(start).toISOString(),
  });
  t.same(await get('/analytics/alerts'), {
    totalAlerts: 0,
    severityCounts: { error: 0, critical: 0 },
    topSystems: [],
    timeWindow: '24h',
    lastUpdated: new Date(start).toISOString(),
  });
});

test('a message is counted by the next read', async (t) => {
  const { get, pitch } = await desk(t);
  for (let i = 1; i <= 20; i++) {
    await pitch({ severity: 'error', system: 'db' });
    t.match(await get('/analytics/summary'), { totalMessages: i, severityCounts: { error: i } });
  }
});

test('systems are sorted by count, the top 20, with the number of all', async (t) => {
  const { get, pitch } = await desk(t);
  for (let system = 0; system < 25; system++) {
    for (let i = 0; i <= system % 5; i++) await pitch({ system: `s${String(system).padStart(2, '0')}` });
  }
  const { systems, total } = await get('/analytics/systems');
  t.equal(total, 25);
  t.equal(systems.length, 20);
  const ranked = systems.map(({ system, count }: { system: string; count: number }) => `${9 - count} ${system}`);
  t.same(ranked, ranked.toSorted(), 'by count, then by name');
  t.same(systems[0], { system: 's04', count: 5 });
});

test('alerts count severities error and critical alone', async (t) => {
  const { get, pitch } = await desk(t);
  for (const severity of ['info', 'success', 'warning', 'error', 'error', 'critical'])
    await pitch({ severity, system: severity });
  t.match(await get('/analytics/alerts'), {
    totalAlerts: 3,
    severityCounts: { error: 2, critical: 1 },
    topSystems: [
      { system: 'error', count: 2 },
      { system: 'critical', count: 1 },
    ],
  });
});

test('a window counts exactly what was enqueued in it, to the minute', async (t) => {
  const { get, pitch, time } = await desk(t);
  for (const at of [0, 30 * minute, 90 * minute, 25 * hour]) {
    time.now = start + at;
    await pitch({});
  }
  const total = async (window: string) => (await get(`/analytics/summary?window=${window}`)).totalMessages;
  t.equal(await total('1m'), 1);
  t.equal(await total('23h30m'), 2);
  t.equal(await total('23h29m'), 1);
  t.equal(await total('24h'), 2, '24h reaches back to 11:30');
  t.equal(await total('24h30m'), 3);
  t.equal(await total('25h'), 4);
  t.equal(await total('all'), 4);
  t.equal((await get('/analytics/summary?window=90m')).timeWindow, '90m');
});

test('a window that is no duration, or longer than counts are kept, is 400 and says what would do', async (t) => {
  const app = await startApp(t);
  for (const window of ['', '1d', '-1h', '0', '769h', '1e9h', 'ALL', 'x'.repeat(100)]) {
    const response = await app.inject({ url: `/analytics/summary?window=${window}`, headers: authorized });
    t.equal(response.statusCode, 400, window);
    t.match(JSON.stringify(response.json()), /window/);
  }
});

/** The service with one hand on its clock. */
async function desk(t: Test) {
  const time = { now: start };
  const app = await startApp(t, {}, { clock: () => time.now });
  return {
    time,
    get: async (url: string) => (await app.inject({ url, headers: authorized })).json(),
    pitch: async (payload: object) => {
      const response = await app.inject({
        method: 'POST',
        url: '/pitch',
        headers: authorized,
        payload: { name: 'x', payload },
      });
      t.equal(response.statusCode, 200);
    },
  };
}
