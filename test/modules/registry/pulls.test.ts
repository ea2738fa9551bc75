import { type Test, test } from 'tap';
import { type Digest, digestOf } from '../../../src/modules/digest.ts';
import { ARTIFACT_TYPE, INDEX_MEDIA_TYPE, MANIFEST_MEDIA_TYPE } from '../../../src/modules/manifest.ts';
import { createModules } from '../../../src/modules/modules.ts';
import { createExchange } from '../../../src/modules/remote/exchange.ts';
import { failure } from '../failure.ts';
import { layout } from '../layout.ts';
import { skipWithoutRegistry as skip, startDockerRegistry, USER } from './docker-registry.ts';
import { fakeRegistry } from './fake-registry.ts';
import { publish, REPOSITORY } from './publish.ts';
import { push } from './push.ts';
import { remote } from './remote.ts';
import { IDENTITY_TOKEN, startTokenServer } from './token-server.ts';

const basic = `Basic ${Buffer.from(`${USER.username}:${USER.password}`).toString('base64')}`;

test('32 first orders at once cost one pull', { skip }, async (t) => {
  const registry = await startDockerRegistry(t);
  await publish(registry);
  const modules = createModules({ registry: remote({ plainHttp: [registry.host] }) });
  const source = `oci://${registry.host}/${REPOSITORY}`;
  const all = await Promise.all(Array.from({ length: 32 }, () => modules.resolve({ source, tag: '1.0' })));
  t.equal(new Set(all).size, 1);
  const kinds = (await registry.pulls()).map((line) =>
    line.replace(/sha256:.*/, 'digest').replace(`${REPOSITORY}/`, ''),
  );
  t.same(kinds, ['HEAD manifests/1.0', 'GET manifests/digest', 'GET blobs/digest', 'GET blobs/digest']);
});

test('one token serves a whole pull, and is asked for again when it has expired', { skip }, async (t) => {
  let now = 1;
  const tokens = await startTokenServer(t, 100);
  const { host, url } = await startDockerRegistry(t, { auth: tokens.auth });
  await publish({ url, authorization: `Bearer ${tokens.issue(REPOSITORY, ['pull', 'push'])}` });
  const registry = remote({ plainHttp: [host], now: () => now });
  const pull = () => createModules({ registry }).resolve({ source: `oci://${host}/${REPOSITORY}`, tag: '1.0' });
  await pull();
  await pull();
  const asked = { scope: `repository:${REPOSITORY}:pull`, by: 'anonymous' };
  t.same(tokens.asked, [asked]);
  now += 100_000;
  await pull();
  t.same(tokens.asked, [asked, asked]);
});

test('a token server is asked with user and password, or with the identity token', { skip }, async (t) => {
  const tokens = await startTokenServer(t);
  const { host, url } = await startDockerRegistry(t, { auth: tokens.auth });
  await publish({ url, authorization: `Bearer ${tokens.issue(REPOSITORY, ['pull', 'push'])}` });
  const scope = `repository:${REPOSITORY}:pull`;
  for (const [credentials, by] of [
    [USER, basic],
    [{ identityToken: IDENTITY_TOKEN }, IDENTITY_TOKEN],
  ] as const) {
    const registry = remote({ plainHttp: [host], credentials: async () => credentials });
    await createModules({ registry }).resolve({ source: `oci://${host}/${REPOSITORY}`, tag: '1.0' });
    t.same(tokens.asked.at(-1), { scope, by });
  }
});

test('wrong credentials are refused by name of the registry, and are not in the message', { skip }, async (t) => {
  const wrong = { username: 'puller', password: 'top-secret' };
  const tokens = await startTokenServer(t);
  for (const auth of ['htpasswd', tokens.auth] as const) {
    const { host } = await startDockerRegistry(t, { auth });
    const registry = remote({ plainHttp: [host], credentials: async () => wrong });
    const error = await failure(
      createModules({ registry }).resolve({ source: `oci://${host}/${REPOSITORY}`, tag: '1.0' }),
    );
    t.match(error, {
      reason: 'unavailable',
      message: new RegExp(`registry ${host} answers 401|token server .* registry ${host} answers 401`),
    });
    t.notMatch(String(error), /top-secret/);
  }
});

test('a token server that is none is refused', async (t) => {
  const realms: [string, RegExp][] = [
    ['', /names no token server/],
    ['nonsense', /names no token server/],
    ['ftp://tokens.example/', /token server without HTTPS/],
  ];
  for (const [realm, message] of realms) {
    const fake = await fakeRegistry(t, (_request, response) => {
      response.writeHead(401, { 'www-authenticate': `Bearer realm="${realm}",service="x"` }).end();
      return true;
    });
    const modules = createModules({ registry: remote({ plainHttp: [fake.host] }) });
    t.match(await failure(modules.resolve({ source: fake.source, tag: '1.0' })), { reason: 'unavailable', message });
  }
});

test('an answer of a token server that is no token is refused', { skip }, async (t) => {
  for (const body of ['', '[]', '{}', '{"token": "a\\nb"}', `{"token": "${'x'.repeat(70_000)}"}`]) {
    const fake = await fakeRegistry(t, ({ url }, response) => {
      if (url?.startsWith('/token')) response.end(body);
      else response.writeHead(401, { 'www-authenticate': `Bearer realm="${fake.url}/token"` }).end();
      return true;
    });
    const modules = createModules({ registry: remote({ plainHttp: [fake.host] }) });
    const error = await failure(modules.resolve({ source: fake.source, tag: '1.0' }));
    t.match(error, { name: 'ModuleError', message: /token server|more than 65536 bytes/ });
  }
});

/** Pushes an index of manifests, each of a module that differs by its annotation, or of the artifact type given. */
async function publishIndex(t: Test, artifactTypes: readonly (string | undefined)[]) {
  const { host, url } = await startDockerRegistry(t);
  const manifests: { mediaType: string; digest: Digest; size: number; artifactType?: string }[] = [];
  for (const [number, artifactType] of artifactTypes.entries()) {
    const manifest = { annotations: { number: String(number) } };
    const { folder, manifest: digest } = await layout({ manifest });
    await publish({ url }, { manifest, tag: `m${number}` });
    const { length } = folder.blobs.sha256[digest.slice('sha256:'.length)] as Buffer;
    manifests.push({ mediaType: MANIFEST_MEDIA_TYPE, digest, size: length, ...(artifactType && { artifactType }) });
  }
  const content = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: INDEX_MEDIA_TYPE, manifests }));
  const target = { exchange: createExchange(), url, repository: REPOSITORY };
  await push(target, { blobs: [], manifests: [{ mediaType: INDEX_MEDIA_TYPE, content }], tag: '1.0' });
  const modules = createModules({ registry: remote({ plainHttp: [host] }) });
  return {
    modules,
    source: `oci://${host}/${REPOSITORY}`,
    index: digestOf(content),
    digests: manifests.map(({ digest }) => digest),
  };
}

test('an index stands for its one manifest, by tag and by digest', { skip }, async (t) => {
  const { modules, source, index, digests } = await publishIndex(t, [undefined]);
  t.equal((await modules.resolve({ source, tag: '1.0' })).digest, digests[0]);
  t.equal((await modules.resolve({ source: `${source}@${index}` })).digest, digests[0]);
});

test('among several manifests, an index stands for the one of the type of a module', { skip }, async (t) => {
  const { modules, source, digests } = await publishIndex(t, ['application/vnd.other', ARTIFACT_TYPE, undefined]);
  t.equal((await modules.resolve({ source, tag: '1.0' })).digest, digests[1]);
});

test('an index without a module, or with several, is refused', { skip }, async (t) => {
  for (const types of [
    [undefined, undefined],
    [ARTIFACT_TYPE, ARTIFACT_TYPE],
  ]) {
    const { modules, source } = await publishIndex(t, types);
    const message = /^index sha256:\S+ has 2 manifests, . of them modules; of a module it has one$/;
    t.match(await failure(modules.resolve({ source, tag: '1.0' })), { reason: 'invalid', message });
  }
});
