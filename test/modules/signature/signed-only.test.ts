import { type Test, test } from 'tap';
import type { Digest } from '../../../src/modules/digest.ts';
import { createModules } from '../../../src/modules/modules.ts';
import { createExchange } from '../../../src/modules/remote/exchange.ts';
import { signedOnly } from '../../../src/modules/signature/signed-only.ts';
import { skipWithoutRegistry as skip, startDockerRegistry } from '../registry/docker-registry.ts';
import { publish, REPOSITORY } from '../registry/publish.ts';
import { remote } from '../registry/remote.ts';
import { cosignKeys, payloadOf, pushSignature, type Signing } from './sign.ts';

/** A registry with one module, and those of its modules that are signed by the keys of `trusted`. */
async function signedModules(t: Test) {
  const server = await startDockerRegistry(t);
  const { host, url } = server;
  const digest = (await publish({ url })).manifest;
  const trusted = cosignKeys();
  const registry = remote({ plainHttp: [host] });
  const referrers = registry.referrers;
  const modules = () => createModules({ registry: signedOnly({ registry, referrers, keys: [trusted.publicKey] }) });
  const target = { exchange: createExchange(), url, repository: REPOSITORY };
  const sign = (signing: Partial<Signing> = {}) =>
    pushSignature(target, { digest, key: trusted.privateKey, ...signing });
  return { server, digest, modules, sign, source: `oci://${host}/${REPOSITORY}` };
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
