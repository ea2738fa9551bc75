import { chmodSync } from 'node:fs';
import { test } from 'tap';
import { partsOf } from '../../hack/kind/image-values.mjs';
import { run } from '../process.ts';

test('what a script of kind needs and is missing is told, in one line each', async (t) => {
  const { exited, output } = run(t, 'hack/kind/up.mjs', { PATH: t.testdir() });
  t.equal(await exited, 1);
  const lines = output().stderr.trimEnd().split('\n');
  t.same(
    lines.map((line) => line.replace(/ .*/, '')),
    ['docker', 'kind', 'kubectl'],
  );
});

test('without its cluster, loading says how to make it', async (t) => {
  const PATH = t.testdir({ docker: '#!/bin/sh\n', kind: '#!/bin/sh\n' });
  for (const program of ['docker', 'kind']) chmodSync(`${PATH}/${program}`, 0o755);
  const { exited, output } = run(t, 'hack/kind/load.mjs', { PATH, KIND_CLUSTER: 'no-such' });
  t.equal(await exited, 1);
  t.equal(output().stderr, 'The cluster no-such is not up: npm run kind:up\n');
});

test('a KIND_PORT that is none is refused', async (t) => {
  for (const port of ['http', '0', '65536', '8080 ']) {
    const { exited, output } = run(t, 'hack/kind/up.mjs', { KIND_PORT: port });
    t.equal(await exited, 1);
    t.match(output().stderr, /KIND_PORT: must be a port from 1 to 65535/, port);
  }
});

test('an image is taken apart as Docker does', (t) => {
  t.same(partsOf('local/redis:7'), { registry: '', repository: 'local/redis', tag: '7' });
  t.same(partsOf('redis:8.2'), { registry: '', repository: 'redis', tag: '8.2' });
  t.same(partsOf('docker.io/library/redis:8'), { registry: 'docker.io', repository: 'library/redis', tag: '8' });
  t.same(partsOf('localhost:5000/redis:8'), { registry: 'localhost:5000', repository: 'redis', tag: '8' });
  t.same(partsOf('localhost/redis:8'), { registry: 'localhost', repository: 'redis', tag: '8' });
  for (const name of ['redis', 'localhost:5000/redis', 'redis:', ''])
    t.throws(() => partsOf(name), { message: /no image with a tag/ });
  t.end();
});
