import { resolve } from 'node:path';
import { test } from 'tap';
import { kubeAssetsFolder } from '../../../hack/kube-assets-folder.mjs';
import { skipWithoutKube as skip, startKubeApiServer } from '../../kubernetes/kube-api-server.ts';
import { runFrontdesk } from '../run-frontdesk.ts';
import { skipWithoutTmux, Terminal } from '../terminal.ts';

const PATH = `${kubeAssetsFolder()}:${process.env.PATH}`;
const place = ['--local', resolve('templates')];
const order = (name: string, ...args: string[]) => [
  'apply',
  'volumeclaim',
  '-p',
  `templateName=${name}`,
  ...args,
  ...place,
];

test('a claim is applied to a cluster by kubectl', { skip }, async (t) => {
  const cluster = await startKubeApiServer(t);
  const env = { PATH, KUBECONFIG: cluster.kubeconfig };
  const dir = t.testdir({});
  const run = (args: readonly string[]) => runFrontdesk(dir, args, { env });
  const claims = async () => (await cluster.kubectl(['get', 'pvc', '-o', 'name'])).trim().split('\n').filter(Boolean);
  const read = async (name: string) =>
    JSON.parse(await cluster.kubectl(['get', 'pvc', name, '-o', 'json', '--show-managed-fields']));

  await t.test('nothing is applied without asking, or --yes', async (t) => {
    t.match(await run(order('a')), { code: 2, stdout: '', stderr: /nobody can be asked here: --yes/ });
    t.same(await claims(), []);
  });

  await t.test('a dry run shows what would change, and changes nothing', async (t) => {
    t.match(await run(order('a', '--dry-run')), { code: 0, stdout: /\n\+kind: PersistentVolumeClaim\n/ });
    t.same(await claims(), []);
  });

  await t.test('with --yes it is applied, and then there is nothing to change', async (t) => {
    t.match(await run(order('a', '--yes')), { code: 0, stdout: /persistentvolumeclaim\/a serverside-applied\n$/ });
    t.match((await read('a')).metadata.managedFields, [{ manager: 'frontdesk', operation: 'Apply' }]);
    t.match(await run(order('a', '--yes')), { code: 0, stdout: '', stderr: 'the cluster has it so already\n' });
  });

  await t.test('what the cluster refuses is told by kubectl, and ends with 1', async (t) => {
    const refused = await run(order('b', '-p', 'namespace=nosuch', '--yes'));
    t.match(refused, { code: 1, stderr: /namespaces "nosuch" not found/ });
    t.match(refused.stderr, /\nerror: kubectl diff ended with \d+; nothing was applied\n$/);
    t.match(await run(order('b', '--context', 'nosuch', '--yes')), {
      code: 1,
      stderr: /context "nosuch" does not exist/,
    });
    t.match(await run(order('b', '-p', 'storage=lots', '--yes')), { code: 3, stderr: /storage: must match/ });
    t.same(await claims(), ['persistentvolumeclaim/a']);
  });

  await t.test('a field that another has set is left to them, unless it is to be taken over', async (t) => {
    const metadata = { name: 'a', labels: { 'app.kubernetes.io/component': 'theirs' } };
    const theirs = JSON.stringify({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata });
    await cluster.kubectl(['apply', '--server-side', '--force-conflicts', '--field-manager=them', '-f', '-'], theirs);
    const component = async () => (await read('a')).metadata.labels['app.kubernetes.io/component'];
    t.match(await run(order('a', '--yes')), { code: 1, stderr: /conflict with "them"/ });
    t.equal(await component(), 'theirs');
    t.match(await run(order('a', '--yes', '--force-conflicts')), { code: 0 });
    t.equal(await component(), 'storage');
  });

  await t.test('at a terminal the difference is shown, and somebody is asked', { skip: skipWithoutTmux }, async (t) => {
    const given = ['-p', 'namespace=default', '-p', 'storage=1Gi', '-p', 'storageClassName=fast'];
    const terminal = async () => {
      const one = await Terminal.start(t, dir, order('c', ...given), env);
      await one.shows('+      storage: 1Gi');
      await one.shows('◆  Apply this to the cluster?\n│  ○ Yes / ● No');
      return one;
    };
    const no = await terminal();
    await no.type('Enter');
    await no.shows('error: called off; nothing was applied\nended with 1');
    t.notOk((await claims()).includes('persistentvolumeclaim/c'));
    const yes = await terminal();
    await yes.type('y');
    await yes.shows('persistentvolumeclaim/c serverside-applied\nended with 0');
    t.equal((await read('c')).spec.storageClassName, 'fast');
  });
});

test('where there is no kubectl, that is said', async (t) => {
  const dir = t.testdir({});
  const missing = await runFrontdesk(dir, order('a', '--yes'), { env: { PATH: dir } });
  t.match(missing, { code: 1, stdout: '', stderr: 'error: kubectl is not installed, or not in PATH\n' });
});
