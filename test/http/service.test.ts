import { test } from 'tap';
import { authorized, startApp } from '../app.ts';

test('health tells version, commit, date and uptime as a Go duration, without a token', async (t) => {
  let now = Date.UTC(2026, 10, 21, 8, 0, 0);
  const build = { version: '1.2.3', commit: 'abc1234', date: '2026-11-20T00:00:00Z' };
  const app = await startApp(t, {}, { clock: () => now, build });
  now += ((2 * 60 + 30) * 60 + 15) * 1000;
  const response = await app.inject('/health');
  t.equal(response.statusCode, 200);
  t.same(response.json(), { status: 'ok', ...build, uptime: '2h30m15s', timestamp: '2026-11-21T10:30:15.000Z' });
});

test('ready tells what each dependency is up to', async (t) => {
  const app = await startApp(t);
  const response = await app.inject('/ready');
  t.equal(response.statusCode, 200);
  t.match(response.json(), {
    status: 'ready',
    dependencies: { store: { status: 'up', kind: 'embedded' }, catalog: { status: 'up', templates: Number } },
  });
});

test('ready is 503 while the templates folder cannot be read, and health stays 200', async (t) => {
  const app = await startApp(t, { TEMPLATES_DIR: '/nonexistent/templates' });
  const response = await app.inject('/ready');
  t.equal(response.statusCode, 503);
  t.match(response.json(), {
    status: 'not ready',
    dependencies: { store: { status: 'up' }, catalog: { status: 'down', sources: { folder: { reason: /ENOENT/ } } } },
  });
  t.equal((await app.inject('/health')).statusCode, 200);
});

test('a dependency that is excluded is told of in /ready, and does not count', async (t) => {
  // Nothing listens on port 1.
  const app = await startApp(t, { STREAM_ADDR: '127.0.0.1', STREAM_PORT: '1' });
  t.equal((await app.inject('/ready')).statusCode, 503);
  for (const query of ['exclude=store', 'exclude=store&exclude=catalog']) {
    const { statusCode, body } = await app.inject(`/ready?${query}`);
    t.equal(statusCode, 200, query);
    t.match(JSON.parse(body), { status: 'ready', dependencies: { store: { status: 'down' }, catalog: Object } });
  }
  t.equal((await app.inject('/ready?exclude=catalog')).statusCode, 503);
});

test('a name of no dependency in /ready?exclude= is refused, and those that there are named', async (t) => {
  const app = await startApp(t);
  for (const query of ['exclude=redis', 'exclude=store&exclude=redis']) {
    const { statusCode, body } = await app.inject(`/ready?${query}`);
    t.equal(statusCode, 400);
    t.same(JSON.parse(body), { error: 'exclude: names dependencies, which are store, catalog' });
  }
  const many = Array.from({ length: 17 }, () => 'exclude=store').join('&');
  t.equal((await app.inject(`/ready?${many}`)).statusCode, 400);
});

test('metrics count requests by route, messages by source and severity, and orders by result', async (t) => {
  const app = await startApp(t);
  const pitch = (payload: object) => app.inject({ method: 'POST', url: '/pitch', headers: authorized, payload });
  await pitch({ name: 'x', payload: { severity: 'critical' } });
  await pitch({ name: 'x' });
  await app.inject({ method: 'POST', url: '/api/v1/claim-templates/volumeclaim/order', payload: { dryRun: true } });
  await app.inject({
    method: 'POST',
    url: '/api/v1/claim-templates/volumeclaim/order',
    payload: { parameters: { x: 1 } },
  });
  const { body, headers } = await app.inject('/metrics');
  t.match(headers['content-type'], /^text\/plain; version=0.0.4/);
  for (const line of [
    'frontdesk_http_request_duration_seconds_count{method="POST",route="/pitch",status="200"} 1',
    'frontdesk_http_request_duration_seconds_count{method="POST",route="/pitch",status="400"} 1',
    'frontdesk_messages_total{source="pitch",severity="critical"} 1',
    'frontdesk_orders_total{template="volumeclaim",result="dry_run"} 1',
    'frontdesk_orders_total{template="volumeclaim",result="invalid"} 1',
    'frontdesk_catalog_templates 2',
    'frontdesk_catalog_problems 0',
  ]) {
    t.ok(body.split('\n').includes(line), line);
  }
});

test('the OpenAPI document names every endpoint', async (t) => {
  const app = await startApp(t);
  const { openapi, paths } = (await app.inject('/openapi.json')).json();
  t.match(openapi, /^3\.1/);
  const endpoints = Object.entries<object>(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method} ${path}`),
  );
  t.same(endpoints.sort(), [
    'get /analytics/alerts',
    'get /analytics/summary',
    'get /analytics/systems',
    'get /api/v1/claim-templates',
    'get /api/v1/claim-templates/{name}',
    'get /health',
    'get /metrics',
    'get /ready',
    'post /api/v1/claim-templates/{name}/order',
    'post /api/v1/claim-templates:validate',
    'post /pitch',
    'post /pitch/alerting',
    'post /pitch/codehost',
  ]);
});

test('the docs page loads everything from this server', async (t) => {
  const app = await startApp(t);
  const page = await app.inject('/docs');
  t.equal(page.statusCode, 200);
  t.match(page.headers['content-type'], /text\/html/);
  const assets = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url);
  t.ok(assets.length > 3);
  for (const url of assets) {
    t.match(url, /^\//, 'a path on this server');
    t.equal((await app.inject(url)).statusCode, 200, url);
  }
});

test('two servers run side by side in one process, each with its own state', async (t) => {
  const one = await startApp(t, { DATA_DIR: t.testdir({ one: {}, two: {} }).concat('/one') });
  const two = await startApp(t, { DATA_DIR: `${t.testdirName}/two` });
  await one.inject({ method: 'POST', url: '/pitch', headers: authorized, payload: { name: 'x', payload: {} } });
  const total = async (app: typeof one) =>
    (await app.inject({ url: '/analytics/summary', headers: authorized })).json().totalMessages;
  t.equal(await total(one), 1);
  t.equal(await total(two), 0);
});
