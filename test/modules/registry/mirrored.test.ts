import { test } from 'tap';
import { freePort } from '../../../bench/free-port.ts';
import { MIRROR_REST_MS, mirrored } from '../../../src/modules/mirrored.ts';
import { createModules } from '../../../src/modules/modules.ts';
import { failure } from '../failure.ts';
import { moduleRegistryContract } from '../module-registry.contract.ts';
import { skipWithoutRegistry as skip, startDockerRegistry } from './docker-registry.ts';
import { type FakeRegistry, fakeRegistry } from './fake-registry.ts';
import { publish, REPOSITORY } from './publish.ts';
import { remote } from './remote.ts';

const REGISTRY = 'registry.example';
const PATIENCE_MS = 300;
const now = () => performance.now();

moduleRegistryContract(
  'mirror of a registry',
  async (t, options) => {
    const [origin, mirror] = [await startDockerRegistry(t), await startDockerRegistry(t)];
    await publish(mirror, options);
    const inner = remote({ plainHttp: [origin.host, mirror.host] });
    const registry = mirrored(inner, { mirrors: new Map([[origin.host, [mirror.host]]]), now });
    return { registry, source: `oci://${origin.host}/${REPOSITORY}` };
  },
  skip,
);

/** Pulls from the last of `places`, the others being its mirrors in this order. */
function pull(places: readonly Pick<FakeRegistry, 'host'>[]) {
  const hosts = places.map(({ host }) => host);
  const [origin = '', ...mirrors] = hosts.toReversed();
  const registry = mirrored(remote({ plainHttp: hosts }), {
    mirrors: new Map([[origin, mirrors.toReversed()]]),
    patienceMs: PATIENCE_MS,
    now,
  });
  return createModules({ registry }).resolve({ source: `oci://${origin}/${REPOSITORY}`, tag: '1.0' });
}

test('the first mirror that has a module is asked alone', async (t) => {
  const [empty, full, origin] = [
    await fakeRegistry(t, (_request, response) => response.writeHead(404).end() !== undefined),
    await fakeRegistry(t),
    await fakeRegistry(t),
  ];
  t.equal((await pull([empty, full, origin])).digest, full.manifest);
  t.ok(full.requests.length > 0);
  t.equal(origin.requests.length, 0);
});

test('a mirror in trouble costs little: refusing, failing, hanging, dripping, gone', async (t) => {
  const gone = { host: `127.0.0.1:${await freePort()}` };
  const troubled = [
    await fakeRegistry(t, (_request, response) => response.writeHead(401).end() !== undefined),
    await fakeRegistry(t, (_request, response) => response.writeHead(500).end() !== undefined),
    await fakeRegistry(t, () => true),
    await fakeRegistry(t, ({ url = '' }) => url.includes('/blobs/')),
    gone,
  ];
  for (const mirror of troubled) {
    const origin = await fakeRegistry(t);
    t.equal((await pull([mirror, origin])).digest, origin.manifest);
  }
});

test('a mirror with other content than its digest is not believed', async (t) => {
  const lying = await fakeRegistry(t, ({ url = '' }, response) =>
    url.includes('/blobs/') ? response.end('{"engine": "x"}') !== undefined : false,
  );
  const error = await failure(pull([lying, await fakeRegistry(t)]));
  t.match(error, { reason: 'invalid', message: /has other content|should have/ });
});

test('where neither has it, the registry has the last word', async (t) => {
  const gone = { host: `127.0.0.1:${await freePort()}` };
  const origin = await fakeRegistry(t, (_request, response) => response.writeHead(404).end() !== undefined);
  t.match(await failure(pull([gone, origin])), { message: /was not found: registry .* answers 404/ });
});

test('a registry without mirrors is asked itself', async (t) => {
  const origin = await fakeRegistry(t);
  const registry = mirrored(remote({ plainHttp: [origin.host] }), {
    mirrors: new Map([[REGISTRY, ['mirror.example']]]),
    now,
  });
  t.equal((await createModules({ registry }).resolve({ source: origin.source, tag: '1.0' })).digest, origin.manifest);
});

test('a mirror that failed to answer is left alone for a while, and one that merely lacks a module is not', async (t) => {
  let time = 1;
  const silent = await fakeRegistry(t, () => true);
  const empty = await fakeRegistry(t, (_request, response) => response.writeHead(404).end() !== undefined);
  const origin = await fakeRegistry(t);
  const hosts = [silent.host, empty.host];
  const registry = mirrored(remote({ plainHttp: [...hosts, origin.host] }), {
    mirrors: new Map([[origin.host, hosts]]),
    patienceMs: PATIENCE_MS,
    now: () => time,
  });
  const pull = () => createModules({ registry }).resolve({ source: origin.source, tag: '1.0' });
  await pull();
  t.equal(silent.requests.length, 1, 'once for a whole pull');
  t.equal(empty.requests.length, 4);
  time += MIRROR_REST_MS - 1;
  await pull();
  t.equal(silent.requests.length, 1);
  time += 1;
  await pull();
  t.equal(silent.requests.length, 2);
});
