import { readFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { createSecureContext } from 'node:tls';
import { type Test, test } from 'tap';
import { createModules } from '../../../src/modules/modules.ts';
import { createExchange } from '../../../src/modules/remote/exchange.ts';
import { listenOnLoopback } from '../../programs/listen-on-loopback.ts';
import { makeCertificates } from '../../redis/tls.ts';
import { failure } from '../failure.ts';
import { fakeRegistry } from './fake-registry.ts';
import { remote } from './remote.ts';

/** A proxy for HTTP and HTTPS; `passed` has what went through, and by whom. */
async function startProxy(t: Test) {
  const passed: string[] = [];
  const by = ({ 'proxy-authorization': who }: { 'proxy-authorization'?: string | undefined }) => who ?? 'anybody';
  const server = createServer((incoming, response) => {
    passed.push(`${incoming.method} ${incoming.url} ${by(incoming.headers)}`);
    const { method = '', headers } = incoming;
    const outgoing = httpRequest(incoming.url ?? '', { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.end();
  });
  server.on('connect', (incoming, socket) => {
    passed.push(`CONNECT ${incoming.url} ${by(incoming.headers)}`);
    const [host = '', port = ''] = (incoming.url ?? '').split(':');
    const upstream = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [upstream, socket]) end.on('error', () => upstream.destroy());
    t.teardown(() => upstream.destroy());
  });
  return { url: `http://user:secret@${await listenOnLoopback(t, server)}`, passed };
}

const BY = `Basic ${Buffer.from('user:secret').toString('base64')}`;

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
