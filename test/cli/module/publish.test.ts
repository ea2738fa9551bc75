import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { createModules } from '../../../src/modules/modules.ts';
import { skipWithoutRegistry as skip, startDockerRegistry, USER } from '../../modules/registry/docker-registry.ts';
import { remote } from '../../modules/registry/remote.ts';
import { startTokenServer } from '../../modules/registry/token-server.ts';
import { makeCertificates } from '../../redis/tls.ts';
import { runFrontdesk } from '../run-frontdesk.ts';

const token = Buffer.from(`${USER.username}:${USER.password}`).toString('base64');

/** A folder with the module that `init` makes. */
async function newModule(t: Test): Promise<string> {
  const dir = t.testdir({});
  t.match(await runFrontdesk(dir, ['module', 'init', 'greeter']), { code: 0 });
  return dir;
}

/** The environment of somebody who is logged in to `registry`. */
function loggedIn(dir: string, registry: string, auth = token): { DOCKER_CONFIG: string } {
  writeFileSync(join(dir, 'config.json'), JSON.stringify({ auths: { [registry]: { auth } } }));
  return { DOCKER_CONFIG: dir };
}

test('what is pushed has the digest that inspect told, is rendered by the service, and is pulled as it was', {
  skip,
}, async (t) => {
  const dir = await newModule(t);
  const { host } = await startDockerRegistry(t);
  const source = `oci://${host}/team/greeter`;
  const inspected = JSON.parse((await runFrontdesk(dir, ['module', 'inspect', 'greeter', '--json'])).stdout);
  const pushed = await runFrontdesk(dir, ['module', 'push', 'greeter', source, '--plain-http']);
  t.match(pushed, { code: 0, stdout: `${host}/team/greeter:0.1.0\n${inspected.digest}\n`, stderr: /^pushing sha256:/ });

  const modules = createModules({ registry: remote({ plainHttp: [host] }) });
  t.equal((await modules.resolve({ source, tag: '0.1.0' })).digest, inspected.digest);

  const published = `${source}:0.1.0`;
  const again = await runFrontdesk(dir, ['module', 'inspect', published, '--plain-http', '--json']);
  t.same(JSON.parse(again.stdout), inspected);
  const pull = () => runFrontdesk(dir, ['module', 'pull', published, '--plain-http', '-o', 'copy']);
  t.match(await pull(), { code: 0, stdout: `copy: module.yaml\n${inspected.digest}\n` });
  t.equal(readFileSync(join(dir, 'copy/module.yaml'), 'utf8'), readFileSync(join(dir, 'greeter/module.yaml'), 'utf8'));
  t.match(await pull(), { code: 1, stderr: /copy is not empty/ });
});

test('a tag in the reference wins over the version, and what the registry has is not sent again', {
  skip,
}, async (t) => {
  const dir = await newModule(t);
  const registry = await startDockerRegistry(t);
  const source = `oci://${registry.host}/greeter`;
  const push = (to: string) => runFrontdesk(dir, ['module', 'push', 'greeter', to, '--plain-http', '--json']);
  t.match(JSON.parse((await push(source)).stdout), { tag: '0.1.0', digest: /^sha256:/ });
  const begun = async () => (await registry.uploads()).filter((line) => line.startsWith('POST')).length;
  t.equal(await begun(), 2);
  t.match(JSON.parse((await push(`${source}:stable`)).stdout), { tag: 'stable' });
  t.equal(await begun(), 2);
});

for (const auth of ['htpasswd', 'token'] as const) {
  test(`a registry that asks for a ${auth === 'token' ? 'token' : 'password'} is pushed to by who is logged in`, {
    skip,
  }, async (t) => {
    const dir = await newModule(t);
    const tokens = await startTokenServer(t);
    const { host } = await startDockerRegistry(t, { auth: auth === 'token' ? tokens.auth : auth });
    const push = (env: Record<string, string>) =>
      runFrontdesk(dir, ['module', 'push', 'greeter', `oci://${host}/greeter`, '--plain-http'], { env });
    t.match(await push({}), { code: 1, stdout: '', stderr: /error: .* answers 401/ });
    const wrong = Buffer.from('somebody:else').toString('base64');
    const refused = await push(loggedIn(dir, host, wrong));
    t.match(refused, { code: 1, stdout: '', stderr: /error: .* answers 401/ });
    t.notMatch(refused.stderr, /else|c29tZWJvZHk/, 'no credentials are told');
    t.match(await push(loggedIn(dir, host)), { code: 0, stdout: /sha256:/ });
  });
}

test('a registry by TLS is trusted by the file that is named, and not without', { skip }, async (t) => {
  const dir = await newModule(t);
  const certificates = await makeCertificates(t);
  const { host } = await startDockerRegistry(t, { tls: certificates });
  const push = (...flags: string[]) =>
    runFrontdesk(dir, ['module', 'push', 'greeter', `oci://${host}/greeter`, ...flags]);
  t.match(await push(), { code: 1, stderr: /cannot be reached: \w*(CERT|SIGNED|SIGNATURE)/ });
  t.match(await push('--ca-file', 'nosuch.pem'), { code: 1, stderr: /--ca-file: no certificate can be read/ });
  t.match(await push('--ca-file', certificates.ca), { code: 0 });
});

test('what is broken is not pushed, and what is not there cannot be pulled', { skip }, async (t) => {
  const dir = await newModule(t);
  const registry = await startDockerRegistry(t);
  const source = `oci://${registry.host}/greeter`;
  const path = join(dir, 'greeter/module.yaml');
  writeFileSync(path, readFileSync(path, 'utf8').replace('${parameters.name}!', '${parameters.name'));
  t.match(await runFrontdesk(dir, ['module', 'push', 'greeter', source, '--plain-http']), {
    code: 1,
    stderr: /module\.yaml/,
  });
  t.same(await registry.uploads(), []);
  t.match(await runFrontdesk(dir, ['module', 'push', 'greeter', 'registry.example/x']), {
    code: 1,
    stderr: /oci:\/\//,
  });
  t.match(await runFrontdesk(dir, ['module', 'pull', source, '--plain-http']), { code: 1, stderr: /was not found/ });
});
