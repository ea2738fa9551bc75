import { test } from 'tap';
import { repositoryUrl } from '../../../src/modules/remote/repository-url.ts';

const urlOf = (registry: string, plainHttp = false) =>
  repositoryUrl({ registry, repository: 'team/demo', plainHttp }, 'manifests/1.0').href;

test('a registry is asked by HTTPS on its port, and without TLS only where that is said', (t) => {
  t.equal(urlOf('registry.example'), 'https://registry.example/v2/team/demo/manifests/1.0');
  t.equal(urlOf('registry.example:5000'), 'https://registry.example:5000/v2/team/demo/manifests/1.0');
  t.equal(urlOf('[::1]:5000', true), 'http://[::1]:5000/v2/team/demo/manifests/1.0');
  t.end();
});

test('Docker Hub is asked where it answers', (t) => {
  t.equal(urlOf('docker.io'), 'https://registry-1.docker.io/v2/team/demo/manifests/1.0');
  t.end();
});

test('what is no host is refused', (t) => {
  for (const registry of ['host:99999', '[::::]', '[1]']) {
    t.throws(() => urlOf(registry), { reason: 'invalid', message: /is not a host of a registry/ }, registry);
  }
  t.end();
});
