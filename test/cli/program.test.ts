import { execFile } from 'node:child_process';
import { copyFileSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { test } from 'tap';
import { kubeAssetsFolder } from '../../hack/kube-assets-folder.mjs';
import { skipWithoutKube } from '../kubernetes/kube-api-server.ts';
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
