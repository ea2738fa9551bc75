import { test } from 'tap';
import { namespace } from '../../hack/kind/settings.mjs';
import { installed } from './installed.ts';
import { apply, kubectl, run } from './run.ts';
import { template } from './templates.ts';
import { wait } from './wait.ts';

const definition = [
  'get',
  'customresourcedefinition',
  'claimtemplates.frontdesk.dev',
  '--output=name',
  '--ignore-not-found',
];
const uninstall = () => run('helm', ['uninstall', 'frontdesk', '--namespace', namespace, '--wait']);
// The pod of `helm test` stays until the next one.
const selector = '--selector=app.kubernetes.io/component in (server,redis)';
const released = () => kubectl('--namespace', namespace, 'get', 'all', selector, '--output=name');

test('uninstalling keeps the definition and the templates of the users, and installing finds them again', async (t) => {
  await installed(t);
  const name = 'e2e-kept';
  await apply(template(name));
  await uninstall();
  t.not(await kubectl(...definition), '');
  t.equal(
    await kubectl('--namespace', namespace, 'get', 'claimtemplate', name, '--output=name'),
    `claimtemplate.frontdesk.dev/${name}`,
  );
  await wait('nothing of the release is left', async () => (await released()) === '');
  await installed(t);
  t.equal(
    await kubectl('--namespace', namespace, 'get', 'claimtemplate', name, '--output=name'),
    `claimtemplate.frontdesk.dev/${name}`,
  );
});

test('with crds.keep=false the definition goes with the release', async (t) => {
  await installed(t, '--set', 'crds.keep=false');
  await uninstall();
  t.equal(await kubectl(...definition), '');
});
