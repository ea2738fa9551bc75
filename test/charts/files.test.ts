import { test } from 'tap';
import { container, part, type Rendered, render, skipWithoutHelm } from './rendered.ts';

const skip = skipWithoutHelm;
const pem = '-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n';
const key = '-----BEGIN PUBLIC KEY-----\nMA==\n-----END PUBLIC KEY-----\n';

/** The volume that is mounted where `path` lies. */
function volumeAt(release: Rendered, path: string): unknown {
  const find = (list: unknown, field: string, value: unknown) =>
    Array.isArray(list) ? list.find((one) => part(one, field) === value) : undefined;
  const mount = find(release.at('Deployment', `${container}.volumeMounts`), 'mountPath', path);
  return find(release.at('Deployment', 'spec.template.spec.volumes'), 'name', part(mount, 'name'));
}
const setting = (release: Rendered, name: string) => release.at('ConfigMap', `data.${name}`, 'frontdesk');

test('a release without files of yours mounts only what is written to', { skip }, async (t) => {
  const mounts = (await render()).at('Deployment', `${container}.volumeMounts`);
  t.same(mounts, [
    { name: 'data', mountPath: '/data' },
    { name: 'tmp', mountPath: '/tmp' },
  ]);
});

test('credentials of registries are mounted from a Secret', { skip }, async (t) => {
  const release = await render({ modules: { credentialsSecret: 'registries' } });
  t.match(volumeAt(release, '/etc/frontdesk/registries'), { secret: { secretName: 'registries' } });
  t.equal(setting(release, 'MODULE_CREDENTIALS'), '/etc/frontdesk/registries/.dockerconfigjson');
});

test('the cache of modules has room on the disk of the pod, and no more', { skip }, async (t) => {
  const release = await render({ modules: { cacheSize: '1Gi' } });
  t.equal(setting(release, 'MODULE_CACHE_BYTES'), String(2 ** 30));
  t.same(volumeAt(release, '/data'), { name: 'data', emptyDir: { sizeLimit: 2 ** 30 + 2 ** 26 } });
});

test('keys that modules must be signed with are mounted', { skip }, async (t) => {
  const release = await render({ modules: { verifyKeys: key } });
  t.equal(
    release.at('ConfigMap', 'data', 'frontdesk-files') && setting(release, 'MODULE_VERIFY'),
    '/etc/frontdesk/files/cosign.pub',
  );
  t.same(release.get('ConfigMap', 'frontdesk-files').data, { 'cosign.pub': key });
  t.match(volumeAt(release, '/etc/frontdesk/files'), { configMap: { name: 'frontdesk-files' } });
});

const items = [{ key: 'ca.crt', path: 'ca.crt' }];
const bundles = [
  { what: 'in values', caBundle: { pem }, volume: { configMap: { name: 'frontdesk-files', items } } },
  { what: 'in a ConfigMap', caBundle: { configMap: 'mine' }, volume: { configMap: { name: 'mine', items } } },
  {
    what: 'in a Secret',
    caBundle: { secret: 'mine', key: 'root.pem' },
    volume: { secret: { secretName: 'mine', items: [{ key: 'root.pem', path: 'ca.crt' }] } },
  },
];
for (const { what, caBundle, volume } of bundles) {
  test(`authorities ${what} are trusted by the process`, { skip }, async (t) => {
    const release = await render({ caBundle });
    t.equal(setting(release, 'NODE_EXTRA_CA_CERTS'), '/etc/frontdesk/ca/ca.crt');
    t.same(volumeAt(release, '/etc/frontdesk/ca'), { name: 'ca', ...volume });
  });
}
