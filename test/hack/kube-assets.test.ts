import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'tap';
import { KUBERNETES_VERSION } from '../../hack/kube-assets-folder.mjs';

const script = fileURLToPath(new URL('../../hack/kube-assets.mjs', import.meta.url));
const programs = { 'kube-apiserver': '', etcd: '', kubectl: '' };

/** Runs the script on a machine that has Node alone. */
function kubeAssets(env: Record<string, string>, ...args: string[]) {
  return spawnSync(process.execPath, [script, ...args], { env: { PATH: '', ...env }, encoding: 'utf8' });
}

test('without Go it says what is missing, and that tests are skipped for it', (t) => {
  const env = { XDG_CACHE_HOME: t.testdir({}) };
  const stderr = /^kube-apiserver and etcd are missing, and Go to get them with\. .* is skipped\.$/m;
  t.match(kubeAssets(env), { status: 1, stdout: '', stderr });
  t.match(kubeAssets(env, '--fetch'), { status: 0, stdout: '', stderr }, 'the other tests run all the same');
  t.end();
});

test('what was fetched or built before is found', (t) => {
  const cache = t.testdir({ frontdesk: { kube: { [KUBERNETES_VERSION]: programs } } });
  const stdout = `${join(cache, 'frontdesk', 'kube', KUBERNETES_VERSION)}\n`;
  t.match(kubeAssets({ XDG_CACHE_HOME: cache }), { status: 0, stdout, stderr: '' });
  t.end();
});

test('what KUBEBUILDER_ASSETS names is taken, if all of them are there', (t) => {
  const dir = t.testdir({ whole: programs, partly: { etcd: '' } });
  const named = (name: string) => ({ XDG_CACHE_HOME: dir, KUBEBUILDER_ASSETS: join(dir, name) });
  t.match(kubeAssets(named('whole')), { status: 0, stdout: `${join(dir, 'whole')}\n` });
  t.match(kubeAssets(named('partly')), { status: 1, stderr: /are missing/ });
  t.end();
});
