import { connect } from 'node:net';
import { type Test, test } from 'tap';
import { MAX_JSON_DEPTH } from '../../src/http/json-body.ts';
import { limits } from '../../src/http/limits.ts';
import { problems } from '../../src/http/problem.ts';
import { authorized, listenApp, startApp } from '../app.ts';

const order = '/api/v1/claim-templates/volumeclaim/order';
const json = { 'content-type': 'application/json' };

test('an unknown path is 404', async (t) => {
  const app = await startApp(t);
  for (const url of ['/', '/nope', '/pitch/nope', '/api/v1', '/api/v2/claim-templates']) {
    const response = await app.inject(url);
    t.equal(response.statusCode, 404, url);
    t.same(response.json(), { error: 'not found' });
  }
});

test('a wrong method on a known path is 405 and tells the right ones, whatever the body', async (t) => {
  const app = await startApp(t);
  const cases = [
    ['POST', '/health', 'GET, HEAD, OPTIONS'],
    ['PUT', '/analytics/summary', 'GET, HEAD, OPTIONS'],
    ['GET', '/pitch', 'POST, OPTIONS'],
    ['DELETE', '/pitch/alerting', 'POST, OPTIONS'],
    ['PATCH', order, 'POST, OPTIONS'],
    ['PROPFIND', '/api/v1/claim-templates/x', 'GET, HEAD, OPTIONS'],
    ['TRACE', '/ready', 'GET, HEAD, OPTIONS'],
  ] as const;
  for (const [method, url, allow] of cases) {
    const response = await app.inject({
      method: method as 'GET',
      url,
      headers: { 'content-type': 'text/x' },
      payload: '{',
    });
    t.equal(response.statusCode, 405, `${method} ${url}`);
    t.equal(response.headers.allow, allow);
    t.same(response.json(), { error: 'method not allowed' });
  }
});

test('a body over the limit is 413, with and without a declared length', async (t) => {
  const { app, url } = await listenApp(t, { MAX_BODY_BYTES: '2048' });
  const large = JSON.stringify({ name: 'x', payload: { text: 'x'.repeat(3000) } });
  const declared = await app.inject({ method: 'POST', url: '/pitch', headers: authorized, payload: large });
  t.equal(declared.statusCode, 413);
  t.same(declared.json(), { status: 'error', message: 'request body is too large' });
  const stream = new Blob([large]).stream();
  const chunked = await fetch(`${url}${order}`, { method: 'POST', headers: json, body: stream, duplex: 'half' });
  t.equal(chunked.status, 413);
  t.same(await chunked.json(), { error: 'request body is too large' });
});

test('a media type other than JSON is 415', async (t) => {
  const app = await startApp(t);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'nonsense']) {
    const headers = { ...authorized, 'content-type': type };
    const response = await app.inject({ method: 'POST', url: '/pitch', headers, payload: 'a=b' });
    t.equal(response.statusCode, 415, type);
    t.match(response.json(), { status: 'error', message: /media type/ });
  }
});

test('a body that is not JSON is 400, and is not repeated to the caller', async (t) => {
  const app = await startApp(t);
  for (const payload of ['{secret', '', '[1,]', '{"a":1}}', '\u0000']) {
    const response = await app.inject({ method: 'POST', url: order, headers: json, payload });
    t.equal(response.statusCode, 400, JSON.stringify(payload));
    t.same(response.json(), { error: 'invalid request body' });
  }
});

test('a key like __proto__ is a key like any other, and changes no object', async (t) => {
  const app = await startApp(t);
  const payload = '{"name":"x","payload":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}';
  const pitched = await app.inject({ method: 'POST', url: '/pitch', headers: authorized, payload });
  t.equal(pitched.statusCode, 200);
  const parameters = '{"parameters":{"__proto__":{"polluted":1},"constructor":1},"dryRun":true}';
  const ordered = await app.inject({ method: 'POST', url: order, headers: json, payload: parameters });
  t.equal(ordered.statusCode, 422);
  const names = ordered.json().error.details.parameters.map(({ name }: { name: string }) => name);
  t.same(names, ['__proto__', 'constructor']);
  t.notOk('polluted' in {});
});

test('a body nested too deeply is 400', async (t) => {
  const app = await startApp(t);
  for (const depth of [MAX_JSON_DEPTH + 1, 100_000]) {
    const payload = `{"parameters":{"x":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
    const response = await app.inject({ method: 'POST', url: order, headers: json, payload });
    t.equal(response.statusCode, 400);
    t.match(response.json(), { error: 'invalid request body', details: { problems: [/nested deeper/] } });
  }
});

test('a fault of ours is 500 with the request id, the cause only in the log', async (t) => {
  const lines: string[] = [];
  const app = await startApp(
    t,
    {},
    { logger: { level: 'info', stream: { write: (line: string) => lines.push(line) } } },
  );
  app.get('/fault', () => {
    throw new Error('the password is hunter2');
  });
  const response = await app.inject({ url: '/fault', headers: { 'x-request-id': 'r-1' } });
  t.equal(response.statusCode, 500);
  const error = { code: 'INTERNAL', message: 'internal server error', details: { requestId: 'r-1' } };
  t.same(response.json(), { status: 'error', error });
  t.match(
    lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50),
    [{ reqId: 'r-1', code: 'INTERNAL', err: { message: 'the password is hunter2' } }],
  );
});

test('a URL that cannot be decoded is 400, a name longer than any is 404', async (t) => {
  const app = await startApp(t);
  for (const [url, status] of [
    ['/%zz', 400],
    [`/api/v1/claim-templates/${'a'.repeat(300)}`, 404],
  ] as const) {
    const response = await app.inject(url);
    t.equal(response.statusCode, status);
    t.match(response.json(), { error: String });
    t.equal(response.headers['access-control-allow-origin'], '*');
    t.ok(response.headers['x-request-id']);
  }
});

test('headers that are too large are 431, bytes that are no HTTP are 400; the service goes on', async (t) => {
  const { url } = await listenApp(t);
  const flood = `GET /health HTTP/1.1\r\nhost: x\r\n${`x-a: ${'a'.repeat(1000)}\r\n`.repeat(limits.maxHeaderSize / 1000 + 1)}\r\n`;
  t.match(
    await exchange(t, url, flood),
    /^HTTP\/1.1 431 .*application\/json; charset=utf-8.*\{"error":"request header fields too large"\}$/s,
  );
  t.match(await exchange(t, url, '\u0016\u0003\u0001 hello\r\n\r\n'), /^HTTP\/1.1 400 .*\{"error":"bad request"\}$/s);
  t.equal((await fetch(`${url}/health`)).status, 200);
});

test('every answer of the API is JSON with its charset, errors included', async (t) => {
  const app = await startApp(t);
  const urls = ['/health', '/ready', '/openapi.json', '/analytics/summary', '/nope', '/api/v1/claim-templates', '/%zz'];
  for (const url of urls) {
    const response = await app.inject(url);
    t.equal(response.headers['content-type'], 'application/json; charset=utf-8', url);
  }
});

test('the table of problems has a sane status and a message for each code', (t) => {
  for (const [code, { status, message }] of Object.entries(problems)) {
    t.ok(status >= 400 && status < 600, code);
    t.match(message, /^[a-z]/, code);
  }
  t.end();
});

/** Sends raw bytes, and gives what came back when the server hung up. */
function exchange(t: Test, url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
    t.teardown(() => socket.destroy());
  });
}
