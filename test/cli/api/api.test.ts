import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type Test, test } from 'tap';
import { listenApp, token } from '../../app.ts';
import { listenOnLoopback } from '../../programs/listen-on-loopback.ts';
import { BY, startProxy } from '../../programs/proxy.ts';
import { makeCertificates } from '../../redis/tls.ts';
import { dataFolder } from '../data-folder.ts';
import { runFrontdesk } from '../run-frontdesk.ts';

const list = JSON.stringify({ apiVersion: 'other.example/v1alpha1', kind: 'ClaimTemplateList', items: [] });

/** What the command says of a service that answers like this; `asked` counts how often it is. */
async function listAt(t: Test, answer: RequestListener, args: readonly string[] = []) {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    answer(request, response);
  });
  const host = await listenOnLoopback(t, server);
  const ended = await runFrontdesk(t.testdir({}), ['templates', '--json', '--api', `http://${host}`, ...args]);
  return { ...ended, asked, host };
}

test('nothing that listens, a name that is not known, and an address that is none are told apart', async (t) => {
  const dir = t.testdir({});
  const at = (...args: string[]) => runFrontdesk(dir, ['templates', ...args]);
  t.match(await at('--api', 'http://127.0.0.1:1'), {
    code: 1,
    stdout: '',
    stderr: /ECONNREFUSED\n {2}nothing listens there/,
  });
  t.match(await at('--api', 'http://nosuch.invalid'), {
    code: 1,
    stderr: /(ENOTFOUND|EAI_AGAIN)\n {2}the host name is not known/,
  });
  t.match(await at('--api', 'localhost:8080'), { code: 2, stderr: /--api: write an address such as https:/ });
  t.match(await at('--api', 'http://me:secret@localhost'), { code: 2, stderr: /has no user and no password here/ });
  t.match(await at('--api', 'http://localhost/?a=b'), { code: 2, stderr: /has no \? and no #/ });
  t.match(await at(), { code: 2, stderr: /--api or CLAIM_API_URL, or files by --local/ });
  t.match(await at('--api', 'http://localhost', '--local', '.'), { code: 2, stderr: /exclude each other/ });
  const wrong = await runFrontdesk(dir, ['templates'], { env: { CLAIM_API_URL: 'nonsense' } });
  t.match(wrong, { code: 2, stderr: /CLAIM_API_URL: write an address/ });
});

test('a service of another group of API versions is as good, below a path as well', async (t) => {
  const { code, stdout } = await listAt(t, (request, response) => {
    response.statusCode = request.url === '/api/v1/claim-templates' ? 200 : 404;
    response.end(list);
  });
  t.same({ code, stdout }, { code: 0, stdout: '[]\n' });
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/frontdesk/api/v1/claim-templates?tag=a&tag=b&search=c' ? 200 : 404;
    response.end(list);
  });
  const api = `http://${await listenOnLoopback(t, server)}/frontdesk`;
  const args = ['templates', '--api', api, '--tag', 'a', '--tag', 'b', '--search', 'c', '--json'];
  t.match(await runFrontdesk(t.testdir({}), args), { code: 0, stdout: '[]\n' });
});

test('what answers, but is no Frontdesk, is told as such', async (t) => {
  const answers: [RequestListener, RegExp][] = [
    [
      (_, response) => response.setHeader('content-type', 'text/html').end('<html>'),
      /200 with something that is not JSON \(text\/html\)/,
    ],
    [(_, response) => response.writeHead(502).end('Bad Gateway'), /answers 502 with something that is not JSON/],
    [(_, response) => response.end('{"items": 3}'), /answers with something unexpected: \/apiVersion: /],
    [(_, response) => response.writeHead(404).end('{"error":"not found"}'), /answers 404: not found/],
    [(_, response) => response.writeHead(418).end('[]'), /answers 418\n/],
  ];
  for (const [answer, said] of answers) {
    const { code, stdout, stderr } = await listAt(t, answer);
    t.match({ code, stdout }, { code: 1, stdout: '' });
    t.match(stderr, said);
    t.match(stderr, /is this the address of a Frontdesk\?/);
  }
});

test('a redirect is told rather than followed: a token is not for everybody', async (t) => {
  const { code, stderr, asked } = await listAt(t, (_, response) =>
    response.writeHead(308, { location: 'https://elsewhere.example/' }).end(),
  );
  t.same({ code, asked }, { code: 1, asked: 1 });
  t.match(
    stderr,
    /answers 308, which is not followed\n {2}it is said to be at https:\/\/elsewhere\.example\/; name that by --api/,
  );
});

test('an outage is waited for, as long as it passes in time', async (t) => {
  let fails = 2;
  const flaky = await listAt(t, (_, response) => {
    fails -= 1;
    response.writeHead(fails < 0 ? 200 : 503).end(list);
  });
  t.match(flaky, { code: 0, stdout: '[]\n', asked: 3 });
  const down = await listAt(t, (_, response) => response.writeHead(503).end('{"error":"the store is not available"}'));
  t.match(down, { code: 1, stderr: 'error: 503: the store is not available\n', asked: 4 });
});

test('where the time is up before the next try, what was told before is told', async (t) => {
  const busy = await listAt(
    t,
    (_, response) => response.writeHead(503, { 'retry-after': '9' }).end('{"error":"the module is not available"}'),
    ['--timeout', '1s'],
  );
  t.match(busy, { code: 1, stderr: 'error: 503: the module is not available\n', asked: 1 });
});

test('what is refused for good is asked once', async (t) => {
  const { code, stderr, asked } = await listAt(t, (_, response) =>
    response.writeHead(401).end('{"error":"missing authorization header"}'),
  );
  t.same({ code, asked }, { code: 1, asked: 1 });
  t.match(
    stderr,
    /^error: 401: missing authorization header\n {2}the token comes from FRONTDESK_TOKEN, or by --token-file\n$/,
  );
});

test('a service that never answers is left when the time is up', async (t) => {
  const { code, stderr, host } = await listAt(t, () => undefined, ['--timeout', '300ms']);
  t.same({ code, stderr }, { code: 1, stderr: `error: ${host} did not answer within 300 ms\n` });
  t.match(await listAt(t, () => undefined, ['--timeout', 'soon']), {
    code: 2,
    stderr: /--timeout soon: write a duration/,
    asked: 0,
  });
});

test('what a service says cannot move the cursor of a terminal', async (t) => {
  const { stderr } = await listAt(t, (_, response) =>
    response.writeHead(400).end('{"error":"\\u001b[2Jgone\\r\\u202e"}'),
  );
  t.equal(stderr, 'error: \\u{1b}[2Jgone\\u{d}\\u{202e}\n');
});

test('a certificate is trusted by the file that is named, and not without', async (t) => {
  const certificates = await makeCertificates(t);
  const { cert, key, ca } = certificates;
  const server = createTlsServer({ cert: readFileSync(cert), key: readFileSync(key) }, (_, response) =>
    response.end(list),
  );
  const host = await listenOnLoopback(t, server);
  const dir = t.testdir({});
  const at = (...args: string[]) => runFrontdesk(dir, ['templates', '--json', '--api', ...args]);
  t.match(await at(`https://${host}`), { code: 1, stderr: /its certificate is not trusted; --ca-file names/ });
  t.match(await at(`https://${host}`, '--ca-file', ca), { code: 0, stdout: '[]\n' });
  t.match(await at(`https://${host}`, '--ca-file', 'nosuch.pem'), {
    code: 1,
    stderr: /--ca-file: no certificate can be read/,
  });
  t.match(await at(`http://${host}`), { code: 1, stderr: /is it https:\/\/ rather than http:\/\/\?/ });
  const plain = await listenOnLoopback(
    t,
    createServer((_, response) => response.end(list)),
  );
  t.match(await at(`https://${plain}`), { code: 1, stderr: /is it http:\/\/ rather than https:\/\/\?/ });
});

test('a service is reached through the proxies that the environment names, in either case of letters', async (t) => {
  const { url } = await listenApp(t, { DATA_DIR: await dataFolder(t) });
  const proxy = await startProxy(t);
  const dir = t.testdir({});
  const stats = (env: Record<string, string>) =>
    runFrontdesk(dir, ['stats', '--json', '--api', url], { env: { FRONTDESK_TOKEN: token, ...env } });
  t.match(await stats({ HTTP_PROXY: proxy.url }), { code: 0, stdout: /totalMessages/ });
  t.equal(proxy.passed.length, 3);
  t.ok(proxy.passed.includes(`GET ${url}/analytics/summary?window=24h ${BY}`));
  t.match(await stats({ HTTP_PROXY: proxy.url, NO_PROXY: '127.0.0.1' }), { code: 0 });
  t.equal(proxy.passed.length, 3);
  t.match(await stats({ http_proxy: proxy.url }), { code: 0 });
  t.equal(proxy.passed.length, 6);
});

test('a proxy that cannot be used is refused, rather than done without', async (t) => {
  const at = (env: Record<string, string>) =>
    runFrontdesk(t.testdir({}), ['templates', '--api', 'http://127.0.0.1:1'], { env });
  t.match(await at({ HTTP_PROXY: 'proxy:3128' }), { code: 2, stderr: /^error: HTTP_PROXY: write an address such as / });
  const socks = await at({ https_proxy: 'socks5://user:secret@proxy' });
  t.match(socks, { code: 2, stderr: /^error: https_proxy: write an address/ });
  t.notMatch(socks.stderr, 'secret');
});

test('a proxy for TLS sees none of what is said, and one that is not there is told of without its password', async (t) => {
  const { cert, key, ca } = await makeCertificates(t);
  const tls = { cert: readFileSync(cert), key: readFileSync(key) };
  const host = await listenOnLoopback(
    t,
    createTlsServer(tls, (_, response) => response.end(list)),
  );
  const proxy = await startProxy(t);
  const args = ['templates', '--json', '--api', `https://${host}`, '--ca-file', ca];
  const through = (HTTPS_PROXY: string) => runFrontdesk(t.testdir({}), args, { env: { HTTPS_PROXY } });
  t.match(await through(proxy.url), { code: 0, stdout: '[]\n' });
  t.same(proxy.passed, [`CONNECT ${host} ${BY}`]);
  const gone = await through('http://user:secret@127.0.0.1:1');
  t.match(gone, { code: 1, stderr: /cannot be reached/ });
  t.notMatch(gone.stderr, 'secret');
});

test('a template without parameters may leave them out', async (t) => {
  const template = {
    apiVersion: 'other.example/v1alpha1',
    kind: 'ClaimTemplate',
    metadata: { name: 'plain' },
    spec: { type: 'plain', source: 'oci://localhost/plain' },
  };
  const server = createServer((_, response) => response.end(JSON.stringify(template)));
  const api = `http://${await listenOnLoopback(t, server)}`;
  const shown = await runFrontdesk(t.testdir({}), ['template', 'plain', '--api', api]);
  t.match(shown, { code: 0, stdout: /It has no parameters to give/ });
});
