import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createSecureContext } from 'node:tls';
import { test } from 'tap';
import { freePort } from '../../../bench/free-port.ts';
import { AbsentError } from '../../../src/modules/module.ts';
import { createModules } from '../../../src/modules/modules.ts';
import { parseReference } from '../../../src/modules/reference.ts';
import { createExchange } from '../../../src/modules/remote/exchange.ts';
import { MAX_REDIRECTS } from '../../../src/modules/remote/redirects.ts';
import type { RemoteOptions } from '../../../src/modules/remote/remote-registry.ts';
import { MAX_TRIES } from '../../../src/modules/remote/retries.ts';
import { makeCertificates } from '../../redis/tls.ts';
import { failure } from '../failure.ts';
import { type FakeRegistry, fakeRegistry, type Interfere } from './fake-registry.ts';
import { remote } from './remote.ts';

const user = { username: 'puller', password: 'secret' };
const BASIC = `Basic ${Buffer.from('puller:secret').toString('base64')}`;

/** Resolves the whole module of a registry. */
function pull({ host, source }: FakeRegistry, options: Partial<Omit<RemoteOptions, 'plainHttp'>> = {}) {
  return createModules({ registry: remote({ plainHttp: [host], ...options }) }).resolve({ source, tag: '1.0' });
}

const unavailable = (message: RegExp) => ({ name: 'ModuleError', reason: 'unavailable', message });
const answer =
  (status: number, headers = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status, headers).end('x');
    return true;
  };

test('what may pass is tried again: 408, 429, 500, 502, 503, 504, and a connection that breaks', async (t) => {
  const troubles = [408, 429, 500, 502, 503, 504].map((status) => answer(status));
  const broken = (response: ServerResponse) => response.destroy() !== undefined;
  for (const trouble of [...troubles, broken]) {
    const registry = await fakeRegistry(t, (_request, response, count) => count < MAX_TRIES - 1 && trouble(response));
    t.equal((await pull(registry)).digest, registry.manifest);
  }
});

test('a registry that stays in trouble is given up, and what it answered is told', async (t) => {
  const registry = await fakeRegistry(t, (_request, response) => answer(503)(response));
  t.match(
    await failure(pull(registry)),
    unavailable(/^registry 127.0.0.1:\d+ answers 503 for module .*modules\/demo:1.0$/),
  );
  t.equal(registry.requests.length, MAX_TRIES);
});

test('Retry-After is waited for, as seconds and as a date; where it asks for long, the registry is not asked again', async (t) => {
  const start = Date.UTC(2026, 0, 1);
  const clock = () => start;
  const after = { seconds: '1', date: new Date(start + 1000).toUTCString() };
  for (const [form, value] of Object.entries(after)) {
    const times: number[] = [];
    const registry = await fakeRegistry(t, (_request, response, count) => {
      times.push(performance.now());
      return count === 0 && answer(429, { 'retry-after': value })(response);
    });
    await pull(registry, { clock });
    const [first = 0, second = 0] = times;
    t.ok(second - first >= 990, form);
  }
  const registry = await fakeRegistry(t, (_request, response) => answer(429, { 'retry-after': '3600' })(response));
  t.match(await failure(pull(registry)), unavailable(/answers 429/));
  t.equal(registry.requests.length, 1);
});

test('a body that breaks off is asked for again and goes on where it was', async (t) => {
  let broken = 0;
  const registry = await fakeRegistry(t, ({ url = '' }, response) => {
    if (!url.includes('/blobs/') || broken === 2) return false;
    broken += 1;
    response.writeHead(200, { 'content-length': 1000 });
    response.write('{', () => response.destroy());
    return true;
  });
  t.equal((await pull(registry)).digest, registry.manifest);
  t.equal(broken, 2);
});

test('where HEAD is not answered, or says too little, the manifest tells what it is', async (t) => {
  const noHead: Interfere = ({ method }, response) => method === 'HEAD' && answer(405)(response);
  const noDigest: Interfere = ({ method }, response) =>
    method === 'HEAD' && answer(200, { 'content-type': 'application/vnd.oci.image.manifest.v1+json' })(response);
  for (const interfere of [noHead, noDigest]) {
    const registry = await fakeRegistry(t, interfere);
    t.equal((await pull(registry)).digest, registry.manifest);
  }
});

test('one connection serves a whole pull, redirects included', async (t) => {
  const registry: FakeRegistry = await fakeRegistry(t, ({ url = '', headers }, response) => {
    if (headers.authorization === undefined) return answer(401, { 'www-authenticate': 'Basic realm="x"' })(response);
    return url.includes('/blobs/') && !url.endsWith('?moved') && answer(307, { location: `${url}?moved` })(response);
  });
  t.match(await failure(pull(registry, { credentials: async () => user })), unavailable(/was not found/));
  t.equal(registry.requests.length, 5, 'tag twice, manifest, and a blob that is not there where it is said to be');
  const [, ...authorized] = registry.requests;
  t.equal(new Set(authorized.map(({ socket }) => socket)).size, 1);
});

test('what is refused is not tried again, and no older answer would stand in', async (t) => {
  for (const status of [401, 403, 404]) {
    const registry = await fakeRegistry(t, (_request, response) => answer(status)(response));
    const error = await failure(pull(registry));
    t.ok(error instanceof AbsentError);
    t.match(error, unavailable(new RegExp(`answers ${status}`)));
    t.equal(registry.requests.length, 1);
  }
});

test('a redirect to another host is followed, and credentials do not go there', async (t) => {
  const storage = await fakeRegistry(t);
  const registry = await fakeRegistry(t, (request, response) => {
    if (request.headers.authorization === undefined)
      return answer(401, { 'www-authenticate': 'Basic realm="x"' })(response);
    return request.url?.includes('/blobs/') && answer(307, { location: `${storage.url}${request.url}` })(response);
  });
  t.equal((await pull(registry, { credentials: async () => user })).digest, registry.manifest);
  t.equal(storage.requests.length, 2, 'config and layer');
  for (const { headers } of storage.requests) t.notOk('authorization' in headers);
  t.ok(registry.requests.some(({ headers }) => headers.authorization === BASIC));
});

test('credentials stay away also after a redirect back, and a redirect within the registry keeps them', async (t) => {
  const other = await fakeRegistry(t, (_request, response) =>
    answer(302, { location: `${registry.url}/v2/back` })(response),
  );
  const registry: FakeRegistry = await fakeRegistry(t, ({ url = '', headers }, response) => {
    if (headers.authorization === undefined && url !== '/v2/back')
      return answer(401, { 'www-authenticate': 'basic realm=x' })(response);
    if (url.endsWith('1.0')) return answer(301, { location: './moved' })(response);
    return url.endsWith('moved') && answer(302, { location: other.url })(response);
  });
  t.match(await failure(pull(registry, { credentials: async () => user })), unavailable(/404/));
  const sent = registry.requests.map(({ url = '', headers }) => `${url.split('/').at(-1)} ${headers.authorization}`);
  t.same(sent, ['1.0 undefined', `1.0 ${BASIC}`, `moved ${BASIC}`, 'back undefined']);
});

test('endless redirects, and those to nowhere or to what is no HTTP, end with an error', async (t) => {
  const registry = await fakeRegistry(t, ({ url }, response) => answer(302, { location: `${url}x` })(response));
  t.match(await failure(pull(registry)), unavailable(/redirects more than 5 times/));
  t.equal(registry.requests.length, MAX_REDIRECTS + 1);
  const cases: [string | undefined, RegExp][] = [
    [undefined, /answers 302 to nowhere/],
    ['http://', /answers 302 to nowhere/],
    ['file:///etc/passwd', /redirects to file:/],
  ];
  for (const [location, message] of cases) {
    const wrong = await fakeRegistry(t, (_request, response) => answer(302, location ? { location } : {})(response));
    t.match(await failure(pull(wrong)), unavailable(message));
  }
});

test('a redirect from HTTPS to HTTP is not followed', async (t) => {
  const certificates = await makeCertificates(t);
  const plain = await fakeRegistry(t);
  const registry = await fakeRegistry(
    t,
    ({ url }, response) => answer(307, { location: `${plain.url}${url}` })(response),
    { tls: certificates },
  );
  const exchange = createExchange({ secureContext: createSecureContext({ ca: readFileSync(certificates.ca) }) });
  t.match(await failure(pull(registry, { exchange })), unavailable(/cannot be reached|redirects from HTTPS to HTTP/));
  const error = await failure(
    createModules({ registry: remote({ exchange }) }).resolve({ source: registry.source, tag: '1.0' }),
  );
  t.match(error, unavailable(/redirects from HTTPS to HTTP/));
  t.equal(plain.requests.length, 0);
});

test('a certificate of an authority that is not trusted is refused at once, with its reason', async (t) => {
  const registry = await fakeRegistry(t, undefined, { tls: await makeCertificates(t) });
  const error = await failure(createModules({ registry: remote({}) }).resolve({ source: registry.source, tag: '1.0' }));
  t.match(error, unavailable(/fails: 127.0.0.1:\d+ cannot be reached: UNABLE_TO_VERIFY_LEAF_SIGNATURE/));
});

test('a registry that is not listed is not asked without TLS', async (t) => {
  const registry = await fakeRegistry(t);
  const error = await failure(createModules({ registry: remote({}) }).resolve({ source: registry.source, tag: '1.0' }));
  t.match(error, { name: 'ModuleError', reason: 'unavailable' });
  t.equal(registry.requests.length, 0);
});

test('a registry that is not there is told of by its name and the reason only', async (t) => {
  const port = await freePort();
  const source = `oci://127.0.0.1:${port}/demo`;
  const error = await failure(createModules({ registry: remote({}) }).resolve({ source }));
  const message = `registry 127.0.0.1:${port} fails: 127.0.0.1:${port} cannot be reached: ECONNREFUSED`;
  t.match(error, { reason: 'unavailable', message });
});

test('a host that cannot be one is refused without asking for it', async (t) => {
  const error = await failure(createModules({ registry: remote({}) }).resolve({ source: 'oci://host:99999/demo' }));
  t.match(error, { reason: 'invalid', message: /"host:99999" is not a host of a registry/ });
});

/** Whatever a registry does to keep its callers waiting. */
const slow: Record<string, Interfere> = {
  'never answers': () => true,
  'never answers for a blob': ({ url = '' }) => url.includes('/blobs/'),
  'drips its answer': (_request, response) => drip(response, {}),
  'drips a blob': ({ url = '' }, response) => url.includes('/blobs/') && drip(response, { 'content-length': 16 }),
  'sends the body of an error for ever': (_request, response) => drip(response, {}, 403),
  'redirects to one that drips': ({ url = '' }, response) =>
    url.endsWith('drip') ? drip(response, {}) : answer(302, { location: '/drip' })(response),
  'answers 503 again and again': (_request, response) => answer(503, { 'retry-after': '1' })(response),
};

function drip(response: ServerResponse, headers: Record<string, number>, status = 200): true {
  response.writeHead(status, headers);
  response.write('{');
  const timer = setInterval(() => response.write(' '), 100);
  response.on('close', () => clearInterval(timer));
  return true;
}

for (const [name, interfere] of Object.entries(slow)) {
  test(`a registry that ${name} fails the order in time, and no other`, async (t) => {
    const hostile = await fakeRegistry(t, interfere);
    const good = await fakeRegistry(t);
    const registry = remote({ plainHttp: [hostile.host, good.host], timeoutMs: 60_000 });
    const modules = createModules({ registry, timeoutMs: 700 });
    const waiting = failure(modules.resolve({ source: hostile.source, tag: '1.0' }));
    t.equal((await modules.resolve({ source: good.source, tag: '1.0' })).digest, good.manifest);
    t.match(await waiting, unavailable(/did not answer in time|answers 403/));
  });
}

test('without a caller in a hurry, the time limit of the adapter holds', async (t) => {
  const hostile = await fakeRegistry(t, () => true);
  const registry = remote({ plainHttp: [hostile.host], timeoutMs: 100 });
  const reference = parseReference({ source: hostile.source, tag: '1.0' });
  t.match(await failure(registry.resolve(reference)), unavailable(/did not answer in time/));
  t.match(await failure(registry.blob(reference, `sha256:${'0'.repeat(64)}`)), unavailable(/did not answer in time/));
});
