import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { test } from 'tap';
import { createModules } from '../../../src/modules/modules.ts';
import { createExchange } from '../../../src/modules/remote/exchange.ts';
import { BY, startProxy } from '../../programs/proxy.ts';
import { makeCertificates } from '../../redis/tls.ts';
import { failure } from '../failure.ts';
import { fakeRegistry } from './fake-registry.ts';
import { remote } from './remote.ts';

test('a registry without TLS is asked through HTTP_PROXY', async (t) => {
  const [registry, proxy] = [await fakeRegistry(t), await startProxy(t)];
  const exchange = createExchange({ proxyEnv: { HTTP_PROXY: proxy.url } });
  const modules = createModules({ registry: remote({ exchange, plainHttp: [registry.host] }) });
  t.equal((await modules.resolve({ source: registry.source, tag: '1.0' })).digest, registry.manifest);
  t.equal(proxy.passed[0], `HEAD ${registry.url}/v2/modules/demo/manifests/1.0 ${BY}`);
  t.equal(proxy.passed.length, 4);
});

test('a registry by TLS is asked through HTTPS_PROXY, which sees none of it', async (t) => {
  const certificates = await makeCertificates(t);
  const [registry, proxy] = [await fakeRegistry(t, undefined, { tls: certificates }), await startProxy(t)];
  const secureContext = createSecureContext({ ca: readFileSync(certificates.ca) });
  const pull = (context: typeof secureContext | undefined) => {
    const exchange = createExchange({ secureContext: context, proxyEnv: { HTTPS_PROXY: proxy.url } });
    return createModules({ registry: remote({ exchange }) }).resolve({ source: registry.source, tag: '1.0' });
  };
  t.equal((await pull(secureContext)).digest, registry.manifest);
  t.same(new Set(proxy.passed), new Set([`CONNECT ${registry.host} ${BY}`]));
  t.match(await failure(pull(undefined)), { message: /UNABLE_TO_VERIFY_LEAF_SIGNATURE/ });
});

test('hosts of NO_PROXY are asked themselves', async (t) => {
  const [registry, proxy] = [await fakeRegistry(t), await startProxy(t)];
  const exchange = createExchange({ proxyEnv: { HTTP_PROXY: proxy.url, NO_PROXY: 'other.example,127.0.0.1' } });
  const modules = createModules({ registry: remote({ exchange, plainHttp: [registry.host] }) });
  t.equal((await modules.resolve({ source: registry.source, tag: '1.0' })).digest, registry.manifest);
  t.same(proxy.passed, []);
});

test('a proxy that is not there is told of without its password', async (t) => {
  const registry = await fakeRegistry(t);
  const exchange = createExchange({ proxyEnv: { HTTP_PROXY: 'http://user:secret@127.0.0.1:1' } });
  const modules = createModules({ registry: remote({ exchange, plainHttp: [registry.host] }) });
  const error = await failure(modules.resolve({ source: registry.source, tag: '1.0' }));
  t.match(error, { reason: 'unavailable', message: /ECONNREFUSED/ });
  t.notMatch(String(error), /secret/);
});
