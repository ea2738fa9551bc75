import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { createExchange } from '../../../src/modules/remote/exchange.ts';
import { registryTrust } from '../../../src/modules/remote/registry-trust.ts';
import { startApp } from '../../app.ts';
import { runMain } from '../../process.ts';
import { makeCertificates } from '../../redis/tls.ts';
import { failure } from '../failure.ts';
import { type DockerRegistry, skipWithoutRegistry as skip, startDockerRegistry, USER } from './docker-registry.ts';
import { fakeRegistry } from './fake-registry.ts';
import { order, templateFor } from './order.ts';
import { asInProduction, peakMemory } from './peak-memory.ts';
import { publish, REPOSITORY } from './publish.ts';

const MAX_MEMORY_BYTES = 256 * 1024 * 1024;
const basic = `Basic ${Buffer.from(`${USER.username}:${USER.password}`).toString('base64')}`;

/** A folder with one template, whose module is `source`, and what tells the service of it. */
function prepare(t: Test, source: string, files: Record<string, string> = {}) {
  const folder = t.testdir({ templates: { 'demo.yaml': templateFor('demo', source) }, data: {}, ...files });
  return { folder, env: { TEMPLATES_DIR: join(folder, 'templates'), DATA_DIR: join(folder, 'data') } };
}

const sourceOf = ({ host }: Pick<DockerRegistry, 'host'>) => `oci://${host}/${REPOSITORY}`;

test('32 concurrent first orders cost one pull and little memory', { skip }, async (t) => {
  const registry = await startDockerRegistry(t);
  const { manifest } = await publish(registry);
  const { env } = prepare(t, sourceOf(registry));
  const { url, child } = await runMain(t, { ...env, MODULE_PLAIN_HTTP: registry.host, ...asInProduction });
  const answers = await Promise.all(Array.from({ length: 32 }, () => order(url, 'demo')));
  for (const answer of answers) t.match(answer, { status: 200, body: { metadata: { digest: manifest } } });
  t.equal((await registry.pulls()).length, 3, 'tag, manifest and layer; the same config is in the built-in layout');
  const peak = peakMemory(child.pid);
  if (peak === undefined) t.comment('this system does not tell the memory of a process');
  else t.ok(peak < MAX_MEMORY_BYTES, `took ${Math.round(peak / 1024 / 1024)} MB at most`);
});

test('killed and started again while the registry is down, the service renders, and tells the digest', {
  skip,
}, async (t) => {
  const registry = await startDockerRegistry(t);
  const { manifest } = await publish(registry);
  const { env } = prepare(t, sourceOf(registry));
  const first = await runMain(t, { ...env, MODULE_PLAIN_HTTP: registry.host });
  t.match(await order(first.url, 'demo'), { status: 200 });
  first.child.kill('SIGKILL');
  await first.exited;
  await registry.kill();
  const second = await runMain(t, { ...env, MODULE_PLAIN_HTTP: registry.host });
  t.match(await order(second.url, 'demo'), { status: 200, body: { metadata: { digest: manifest } } });
  t.match(second.output().stdout, /the registry cannot be asked; its last answer stands in/);
  second.child.kill('SIGKILL');
  await second.exited;
  const strict = await runMain(t, { ...env, MODULE_PLAIN_HTTP: registry.host, MODULE_STALE_OK: '0' });
  t.match(await order(strict.url, 'demo'), { status: 503, body: { error: { code: 'MODULE_UNAVAILABLE' } } });
});

test('credentials, authority, mirror and cache folder are as configured', { skip }, async (t) => {
  const certificates = await makeCertificates(t);
  const mirror = await startDockerRegistry(t, { tls: certificates, auth: 'htpasswd' });
  const exchange = createExchange({ secureContext: registryTrust(certificates.ca) });
  const { manifest } = await publish({ url: mirror.url, exchange, authorization: basic });
  const { folder, env } = prepare(t, `oci://registry.invalid/${REPOSITORY}`);
  const auths = { [mirror.host]: { auth: basic.replace('Basic ', '') } };
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ auths }));
  const settings = {
    ...env,
    MODULE_MIRRORS: `registry.invalid=${mirror.host}`,
    MODULE_CA: certificates.ca,
    MODULE_CACHE_DIR: join(folder, 'cache'),
  };
  for (const credentials of [{ MODULE_CREDENTIALS: join(folder, 'config.json') }, { DOCKER_CONFIG: folder }]) {
    const app = await startApp(t, { ...settings, ...credentials });
    const payload = { parameters: { name: 'hello' } };
    const url = '/api/v1/claim-templates/demo/order';
    t.match((await app.inject({ method: 'POST', url, payload })).json(), { metadata: { digest: manifest } });
  }
});

test('a registry that never answers fails its order in MODULE_TIMEOUT, and built-in modules render meanwhile', async (t) => {
  const silent = await fakeRegistry(t, () => true);
  const { folder, env } = prepare(t, silent.source);
  copyFileSync('templates/volumeclaim.yaml', join(folder, 'templates/volumeclaim.yaml'));
  const app = await startApp(t, { ...env, MODULE_PLAIN_HTTP: silent.host, MODULE_TIMEOUT: '1s' });
  const send = (name: string, parameters: object) =>
    app.inject({ method: 'POST', url: `/api/v1/claim-templates/${name}/order`, payload: { parameters } });
  const waiting = send('demo', { name: 'hello' });
  t.match((await send('volumeclaim', { templateName: 'x' })).json(), { status: 'success' });
  const message = `registry ${silent.host} did not answer in time`;
  t.match((await waiting).json(), { error: { code: 'MODULE_UNAVAILABLE', message } });
});

test('an authority that cannot be read ends the start, and tells the variable', async (t) => {
  const file = join(t.testdir({ 'ca.pem': 'no certificate' }), 'ca.pem');
  for (const MODULE_CA of [file, '/nowhere/ca.pem']) {
    t.match(await failure(startApp(t, { MODULE_CA })), { message: /^MODULE_CA: no certificate can be read from/ });
  }
});
