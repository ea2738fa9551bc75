// `node hack/kube-assets.mjs`: sees to it that there are kube-apiserver, etcd and kubectl to test against. Where there are
// none it fetches them by setup-envtest, and where that cannot be reached it builds them from their Go modules, which
// takes about ten minutes, and prints the folder. With `--fetch` it does not build. Both need Go.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { hasKubeAssets, KUBERNETES_VERSION, kubeAssetsFolder, ownKubeAssets } from './kube-assets-folder.mjs';

const SETUP_ENVTEST = 'sigs.k8s.io/controller-runtime/tools/setup-envtest@v0.25.1';
const KUBERNETES = `k8s.io/kubernetes@v${KUBERNETES_VERSION}`;
const FETCH_MS = 300_000;
const BUILD_MS = 3_600_000;

const [MAJOR, MINOR, PATCH] = KUBERNETES_VERSION.split('.');

/** Fetches them; envtest is released for some versions of Kubernetes only, so any patch of the same minor will do. */
function fetch() {
  const bin = join(dirname(ownKubeAssets), 'envtest');
  const args = ['run', SETUP_ENVTEST, 'use', `${MAJOR}.${MINOR}.x`, '--bin-dir', bin, '--print', 'path'];
  const { status, stdout } = spawnSync('go', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: FETCH_MS,
  });
  if (status !== 0 || !hasKubeAssets(stdout.trim())) return false;
  rmSync(ownKubeAssets, { recursive: true, force: true });
  symlinkSync(stdout.trim(), ownKubeAssets);
  return true;
}

/** Builds them in a module of their own, and puts them in place when all are there. */
function build() {
  const dir = mkdtempSync(join(tmpdir(), 'kube-assets-'));
  try {
    const { modFile, etcd } = requirements();
    writeFileSync(join(dir, 'go.mod'), modFile);
    const version = 'k8s.io/component-base/version';
    const stamp = [`gitVersion=v${KUBERNETES_VERSION}`, `gitMajor=${MAJOR}`, `gitMinor=${MINOR}`];
    const flags = ['-s -w', ...stamp.map((value) => `-X ${version}.${value}`)].join(' ');
    const go = (args) =>
      execFileSync('go', ['build', '-mod=mod', '-trimpath', ...args], {
        cwd: dir,
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { ...process.env, CGO_ENABLED: '0' },
        timeout: BUILD_MS,
      });
    go(['-ldflags', '-s -w', '-o', 'out/etcd', etcd]);
    go(['-ldflags', flags, '-o', 'out/', 'k8s.io/kubernetes/cmd/kube-apiserver', 'k8s.io/kubernetes/cmd/kubectl']);
    install(join(dir, 'out'));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * A go.mod that asks for Kubernetes and the etcd that it was made with. The modules that Kubernetes keeps in its own
 * repository it requires as v0.0.0; they are published as v0.MINOR.PATCH.
 */
function requirements() {
  const found = execFileSync('go', ['mod', 'download', '-json', KUBERNETES], { encoding: 'utf8', timeout: FETCH_MS });
  const { GoMod: path } = JSON.parse(found);
  const mod = readFileSync(path, 'utf8');
  const etcd = 'go.etcd.io/etcd/server/v3';
  const [, etcdVersion] = /go\.etcd\.io\/etcd\/server\/v3 (v\S+)/.exec(mod) ?? [];
  const [, goVersion] = /^go (\S+)$/m.exec(mod) ?? [];
  const staged = [...mod.matchAll(/^\s+(k8s\.io\/\S+) v0\.0\.0$/gm)].map(([, name]) => name);
  if (etcdVersion === undefined || staged.length === 0) throw new Error(`${path} is not what was expected`);
  const lines = [
    ...['module kube-assets', `go ${goVersion}`],
    ...[`require ${etcd} ${etcdVersion}`, `require ${KUBERNETES.replace('@', ' ')}`],
    ...staged.map((name) => `replace ${name} => ${name} v0.${MINOR}.${PATCH}`),
  ];
  return { modFile: `${lines.join('\n')}\n`, etcd };
}

function install(built) {
  const waiting = mkdtempSync(`${ownKubeAssets}-`);
  // The temporary folder may be on another disk, from which nothing can be renamed.
  execFileSync('cp', ['-R', `${built}/.`, waiting]);
  rmSync(ownKubeAssets, { recursive: true, force: true });
  renameSync(waiting, ownKubeAssets);
}

/** Returns what is in the way, if something is. */
function provide(mayBuild) {
  if (spawnSync('go', ['version']).status !== 0) return 'kube-apiserver and etcd are missing, and Go to get them with.';
  mkdirSync(dirname(ownKubeAssets), { recursive: true });
  console.log('Fetching kube-apiserver and etcd …');
  if (fetch()) return undefined;
  if (!mayBuild) return 'kube-apiserver and etcd could not be fetched; `npm run kube-assets` builds them.';
  console.log('They cannot be fetched. Building them, which takes about ten minutes …');
  build();
  return undefined;
}

const mayBuild = !process.argv.includes('--fetch');
const problem = kubeAssetsFolder() === undefined ? provide(mayBuild) : undefined;
if (problem !== undefined) {
  console.error(`${problem} What needs a Kubernetes API server is skipped.`);
  if (mayBuild) process.exitCode = 1;
} else if (mayBuild) {
  console.log(kubeAssetsFolder());
}
