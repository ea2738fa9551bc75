import { createServer } from 'node:http';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import type { Digest } from '../../../src/modules/digest.ts';
import { INDEX_MEDIA_TYPE } from '../../../src/modules/manifest.ts';
import { createModules } from '../../../src/modules/modules.ts';
import { createExchange } from '../../../src/modules/remote/exchange.ts';
import { signedOnly } from '../../../src/modules/signature/signed-only.ts';
import { listenApp, startApp } from '../../app.ts';
import { listenOnLoopback } from '../../programs/listen-on-loopback.ts';
import { skipWithoutRegistry as skip, startDockerRegistry } from '../registry/docker-registry.ts';
import { order, templateFor } from '../registry/order.ts';
import { publish, REPOSITORY } from '../registry/publish.ts';
import { remote } from '../registry/remote.ts';
import { cosignKeys, payloadOf, pushSignature, type Signing } from './sign.ts';

/** A registry with one module, and those of its modules that are signed by the keys of `trusted`. */
async function signedModules(t: Test) {
  const server = await startDockerRegistry(t);
  const { host, url } = server;
  const digest = (await publish({ url })).manifest;
  const trusted = cosignKeys();
  const modules = (at = host) => {
    const registry = remote({ plainHttp: [at] });
    const { referrers } = registry;
    return createModules({ registry: signedOnly({ registry, referrers, keys: [trusted.publicKey] }) });
  };
  const target = { exchange: createExchange(), url, repository: REPOSITORY };
  const sign = (signing: Partial<Signing> = {}) =>
    pushSignature(target, { digest, key: trusted.privateKey, ...signing });
  return { server, digest, trusted, modules, sign, source: `oci://${host}/${REPOSITORY}` };
}

const untrusted = (message: RegExp) => ({ name: 'ModuleError', reason: 'untrusted', message });

test('a module without a signature, or with one that does not count, is not trusted', { skip }, async (t) => {
  const { digest, modules, sign, source } = await signedModules(t);
  const resolve = () => modules().resolve({ source, tag: '1.0' });
  await t.rejects(resolve(), untrusted(/@sha256:\w{64} is not trusted: it has no signature$/));
  const other: Digest = `sha256:${'0'.repeat(64)}`;
  for (const signing of [{ key: cosignKeys().privateKey }, { payload: payloadOf(other) }]) {
    await sign(signing);
    await t.rejects(resolve(), untrusted(/none of its 1 signatures is by a trusted key, and for it$/));
  }
  await t.rejects(
    modules().resolve({ source: `${source}@${digest}` }),
    untrusted(/none of its 1/),
    'nor by its digest',
  );
});

test('a module that a trusted key has signed is rendered, by tag and by digest', { skip }, async (t) => {
  const { digest, modules, sign, source } = await signedModules(t);
  await sign();
  t.equal((await modules().resolve({ source, tag: '1.0' })).digest, digest);
  t.equal((await modules().resolve({ source: `${source}@${digest}` })).digest, digest);
});

test('a signature that refers to the module counts as well, also beside one under its tag that does not', {
  skip,
}, async (t) => {
  const { digest, modules, sign, source } = await signedModules(t);
  await sign({ key: cosignKeys().privateKey });
  await sign({ refers: true });
  t.equal((await modules().resolve({ source, tag: '1.0' })).digest, digest);
});

test('signatures are looked at once for a module, and not where the registry does not answer', { skip }, async (t) => {
  const { server, modules, sign, source } = await signedModules(t);
  await sign();
  const signatures = async () => (await server.pulls()).filter((line) => line.endsWith('.sig')).length;
  const known = modules();
  await Promise.all(Array.from({ length: 16 }, () => known.resolve({ source, tag: '1.0' })));
  const looks = await signatures();
  t.ok(looks > 0);
  await known.resolve({ source, tag: '1.0' });
  t.equal(await signatures(), looks);
  await server.kill();
  await t.rejects(modules().resolve({ source, tag: '1.0' }), { name: 'ModuleError', reason: 'unavailable' });
});

test('a registry that knows of referrers is asked what signatures refer to the module', { skip }, async (t) => {
  const { server, digest, modules, sign, source } = await signedModules(t);
  await sign({ refers: true });
  const index = await fetch(`${server.url}/v2/${REPOSITORY}/manifests/${digest.replace(':', '-')}`, {
    headers: { accept: INDEX_MEDIA_TYPE },
  });
  const referrers = await index.text();
  // docker-registry knows of none, so what it says of the tag for them is told in front of it.
  const asked: string[] = [];
  const front = createServer(async ({ url = '', method = '', headers }, response) => {
    asked.push(url);
    if (url.includes('/referrers/')) return response.end(referrers);
    const answer = await fetch(`${server.url}${url}`, { method, headers: { accept: String(headers.accept) } });
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? '',
      'docker-content-digest': answer.headers.get('docker-content-digest') ?? '',
      'content-length': answer.headers.get('content-length') ?? '',
    });
    return response.end(Buffer.from(await answer.arrayBuffer()));
  });
  const host = await listenOnLoopback(t, front);
  const found = await modules(host).resolve({ source: source.replace(server.host, host), tag: '1.0' });
  t.equal(found.digest, digest);
  t.ok(asked.includes(`/v2/${REPOSITORY}/referrers/${digest}`));
  t.notOk(
    asked.some((url) => url.endsWith(digest.replace(':', '-'))),
    'not for the tag',
  );
});

test('with MODULE_VERIFY the service refuses what is not signed, says so, and renders it once it is', {
  skip,
}, async (t) => {
  const { server, trusted, sign, source, digest } = await signedModules(t);
  const folder = t.testdir({
    templates: { 'demo.yaml': templateFor('demo', source) },
    data: {},
    'cosign.pub': trusted.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  });
  const env = {
    TEMPLATES_DIR: join(folder, 'templates'),
    DATA_DIR: join(folder, 'data'),
    MODULE_PLAIN_HTTP: server.host,
    MODULE_VERIFY: join(folder, 'cosign.pub'),
  };
  const refused = await order((await listenApp(t, env)).url, 'demo');
  const error = { code: 'SIGNATURE_INVALID', message: /is not trusted: it has no signature/ };
  t.match(refused, { status: 500, body: { error } });
  await sign();
  const { url } = await listenApp(t, env);
  t.match(await order(url, 'demo'), { status: 200, body: { metadata: { digest } } });
  await server.kill();
  const restarted = await listenApp(t, env);
  t.match(await order(restarted.url, 'demo'), { status: 200 }, 'the signature is known while the registry is down');
  await t.rejects(startApp(t, { ...env, MODULE_VERIFY: join(folder, 'none') }), { message: /^MODULE_VERIFY: / });
});
