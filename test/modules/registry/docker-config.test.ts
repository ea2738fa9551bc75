import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { dockerConfig } from '../../../src/modules/remote/docker-config.ts';
import { failure } from '../failure.ts';

const auth = (text: string) => Buffer.from(text).toString('base64');

/** Credentials for `oci://<registry>/<repository>` by files with these contents. */
function find(t: Test, contents: readonly unknown[], [registry, repository]: readonly [string, string]) {
  const folder = t.testdir(Object.fromEntries(contents.map((content, i) => [String(i), JSON.stringify(content)])));
  const files = contents.map((_, i) => ({ path: join(folder, String(i)), optional: false }));
  return dockerConfig(files)(registry, repository);
}

const place = ['registry.example', 'team/demo'] as const;

test('user and password are read as base64, and in fields of their own', async (t) => {
  const expected = { username: 'user', password: 'pass:word' };
  t.same(await find(t, [{ auths: { 'registry.example': { auth: auth('user:pass:word') } } }], place), expected);
  t.same(
    await find(t, [{ auths: { 'registry.example': { username: 'user', password: 'pass:word' } } }], place),
    expected,
  );
});

test('an identity token is one', async (t) => {
  const entry = { auth: auth('<token>:'), identitytoken: 'id' };
  t.same(await find(t, [{ auths: { 'registry.example': entry } }], place), { identityToken: 'id' });
});

test('an entry is found by host, by URL as Docker writes it, and by the longest part of the path', async (t) => {
  const entry = (username: string) => ({ auth: auth(`${username}:x`) });
  for (const key of [
    'registry.example',
    'https://registry.example',
    'https://registry.example/v1/',
    'registry.example/v2/',
  ]) {
    t.match(await find(t, [{ auths: { [key]: entry('user') } }], place), { username: 'user' }, key);
  }
  const auths = {
    'registry.example': entry('host'),
    'registry.example/team': entry('team'),
    'registry.example/team/demo-2': entry('other'),
  };
  t.match(await find(t, [{ auths }], place), { username: 'team' });
  t.match(await find(t, [{ auths }], ['registry.example', 'teams/demo']), { username: 'host' });
  t.equal(await find(t, [{ auths }], ['registry.example:5000', 'team/demo']), undefined);
});

test('Docker Hub is known by the name that Docker gives it', async (t) => {
  const auths = { 'https://index.docker.io/v1/': { auth: auth('user:x') } };
  t.match(await find(t, [{ auths }], ['docker.io', 'team/demo']), { username: 'user' });
});

test('the first file that has an entry counts', async (t) => {
  const file = (username: string) => ({ auths: { 'registry.example': { auth: auth(`${username}:x`) } } });
  t.match(await find(t, [{ credHelpers: {} }, {}, file('a'), file('b')], place), { username: 'a' });
});

test('an entry without anything of use is none', async (t) => {
  for (const entry of [{}, { auth: '' }, { auth: auth('user') }, { username: 'user' }]) {
    t.equal(await find(t, [{ auths: { 'registry.example': entry } }], place), undefined);
  }
});

test('a file may be missing only where none was named, and what is no such file is an error without its content', async (t) => {
  const path = join(t.testdir(), 'config.json');
  t.equal(await dockerConfig([{ path, optional: true }])(...place), undefined);
  t.match(await failure(dockerConfig([{ path, optional: false }])(...place)), {
    reason: 'unavailable',
    message: 'the credentials of registries cannot be read',
  });
  for (const content of ['{"auths": "secret"', '{"auths": "secret"}', ' '.repeat(1_100_000)]) {
    writeFileSync(path, content);
    const message = 'the credentials of registries cannot be read';
    t.match(await failure(dockerConfig([{ path, optional: true }])(...place)), { reason: 'unavailable', message });
  }
});

test('credentials that change are read anew', async (t) => {
  const path = join(t.testdir(), 'config.json');
  const credentials = dockerConfig([{ path, optional: true }]);
  for (const username of ['a', 'b']) {
    writeFileSync(path, JSON.stringify({ auths: { 'registry.example': { auth: auth(`${username}:x`) } } }));
    t.match(await credentials(...place), { username });
  }
});
