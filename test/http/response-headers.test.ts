import { test } from 'tap';
import { corsHeaders } from '../../src/http/response-headers.ts';
import { authorized, startApp } from '../app.ts';

test('every response carries the CORS headers of the specification, errors included', async (t) => {
  const app = await startApp(t);
  for (const url of ['/health', '/nope', '/analytics/summary', '/api/v1/claim-templates', '/metrics']) {
    t.match((await app.inject(url)).headers, {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
      'access-control-allow-headers': 'Content-Type, Authorization',
    });
  }
});

test('a preflight is answered with 204 on every path, without a token', async (t) => {
  const app = await startApp(t, { CLAIMS_AUTH: 'all' });
  for (const url of ['/pitch', '/analytics/systems', '/api/v1/claim-templates/x/order', '/nope']) {
    const response = await app.inject({ method: 'OPTIONS', url, headers: { origin: 'https://portal.example.org' } });
    t.equal(response.statusCode, 204);
    t.equal(response.body, '');
    t.match(response.headers, corsHeaders);
  }
});

test('a sane request id is taken over, any other is replaced', async (t) => {
  const app = await startApp(t);
  const idFor = async (id: string) =>
    (await app.inject({ url: '/health', headers: { 'x-request-id': id } })).headers['x-request-id'];
  t.equal(await idFor('trace-0af7651916cd43dd8448eb211c80319c'), 'trace-0af7651916cd43dd8448eb211c80319c');
  for (const bad of ['', 'a b', '"x"', 'x'.repeat(129), 'ü', '<script>']) {
    t.match(await idFor(bad), /^[0-9a-f]{8}-[0-9a-f-]{27}-\d+$/, JSON.stringify(bad));
  }
});

test('the log has one line per request with its id, and neither tokens, queries nor payloads', async (t) => {
  const lines: string[] = [];
  const app = await startApp(
    t,
    {},
    { logger: { level: 'debug', stream: { write: (line: string) => lines.push(line) } } },
  );
  lines.length = 0;
  await app.inject({
    method: 'POST',
    url: '/pitch?token=querysecret',
    headers: { ...authorized, 'x-request-id': 'r-7', cookie: 'session=cookiesecret' },
    payload: { name: 'x', payload: { text: 'payloadsecret' } },
  });
  t.match(
    lines.map((line) => JSON.parse(line)),
    [{ reqId: 'r-7', method: 'POST', route: '/pitch', status: 200, ms: Number, msg: 'request' }],
  );
  t.equal(lines.length, 1);
  t.notMatch(lines.join(), /secret|test-token/);
});
