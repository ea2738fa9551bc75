import { test } from 'tap';
import { namespace } from '../../hack/kind/settings.mjs';
import { installed } from './installed.ts';
import { forceDelete, killProcess, serverPods } from './pods.ts';
import { kubectl } from './run.ts';
import { applied, condition } from './templates.ts';
import { wait } from './wait.ts';

/** Name of the pod that holds the Lease; empty if none does. */
async function leader(): Promise<string> {
  const path = '--output=jsonpath={.spec.holderIdentity}';
  const identity = await kubectl('--namespace', namespace, 'get', 'lease', 'frontdesk', path);
  return identity.replace(/_[^_]*$/, '');
}

test('when the leader is killed another pod takes the Lease, and writes the status of templates', async (t) => {
  await installed(t);
  await wait('a pod leads', async () => (await serverPods()).includes(await leader()));
  const before = await leader();
  // It has no time to give the Lease back.
  await killProcess(before);
  await forceDelete(before);
  await wait('another pod leads', async () => {
    const now = await leader();
    return now !== before && (await serverPods()).includes(now);
  });
  const name = `e2e-after-the-leader-${Date.now()}`;
  await applied(t, name);
  await wait('the template is ready', async () => (await condition(name, 'Ready')) === 'True');
  t.not(await leader(), before);
});
