import { execFile } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { test } from 'tap';
import { kubeAssetsFolder } from '../../hack/kube-assets-folder.mjs';
import { skipWithoutKube } from '../kubernetes/kube-api-server.ts';
import { desks } from './desks.ts';
import { entry } from './run-frontdesk.ts';

const BUNDLE_MS = 60_000;
const runs = promisify(execFile);
const options = (cwd: string) => ({ cwd, env: { PATH: process.env.PATH, HOME: cwd }, timeout: BUNDLE_MS });

test('the command is one file that runs wherever it is put', async (t) => {
  await runs(process.execPath, [resolve('hack/bundle.mjs')], options(process.cwd()));
  const dir = t.testdir({});
  const file = join(dir, 'anything.mjs');
  copyFileSync('bundle/frontdesk.mjs', file);
  const run = (...args: string[]) => runs(process.execPath, [file, ...args], options(dir));
  t.match((await run('--version')).stdout, /^\d+\.\d+\.\d+\n$/);
  const { stdout } = await run('order', 'volumeclaim', '--local', resolve('templates'), '-o', '-');
  t.match(stdout, /kind: PersistentVolumeClaim/);
  await t.rejects(run('stats', '--api', 'http://127.0.0.1:1'), { code: 1, stderr: /nothing listens there/ });
});

/** Packages that a run of the command loads, by what V8 counts the coverage of. */
async function packagesLoaded(dir: string, args: readonly string[]): Promise<Set<string>> {
  const folder = join(dir, 'coverage');
  // Without what the test runner has its children load.
  const bare = ['-u', 'NODE_OPTIONS', `NODE_V8_COVERAGE=${folder}`, process.execPath];
  await runs('env', [...bare, entry, ...args], options(dir));
  const [file = ''] = readdirSync(folder);
  const loaded = readFileSync(join(folder, file), 'utf8').matchAll(/node_modules\/((?:@[^/"]+\/)?[^/"]+)\//g);
  return new Set([...loaded].map(([, name = '']) => name));
}

test('what only tells about itself loads nothing but the definitions of the commands', async (t) => {
  for (const args of [['--version'], ['order', '--help'], ['completion', 'bash']]) {
    t.same(await packagesLoaded(t.testdir({}), args), new Set(['commander']));
  }
});

test('an order at a service loads no engine, and no client of Kubernetes or Redis', async (t) => {
  const args = ['order', 'volumeclaim', '--dry-run', ...(await desks.api(t))];
  const loaded = await packagesLoaded(t.testdir({}), args);
  t.ok(loaded.has('@sinclair/typebox'));
  for (const stranger of ['@kubernetes/client-node', 'fastify', 'ioredis', '@bufbuild/cel', '@clack/prompts']) {
    t.notOk(loaded.has(stranger), stranger);
  }
});

test('it is a plugin of kubectl, under the name for that', { skip: skipWithoutKube }, async (t) => {
  const dir = t.testdir({});
  symlinkSync(entry, join(dir, 'kubectl-claim'));
  const PATH = [dir, dirname(process.execPath), kubeAssetsFolder(), process.env.PATH].join(':');
  const env = { PATH, HOME: dir };
  const claim = (...args: string[]) => runs('kubectl', ['claim', ...args], { ...options(dir), env });
  t.match((await claim('--help')).stdout, /^Usage: kubectl claim /);
  t.match((await claim('templates', '--help')).stdout, /\$ kubectl claim templates --tag storage/);
  t.match((await claim('templates', '--local', resolve('templates'))).stdout, /\nvolumeclaim /);
});
