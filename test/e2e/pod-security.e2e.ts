import { test } from 'tap';
import { namespace } from '../../hack/kind/settings.mjs';
import { installed } from './installed.ts';
import { apply, kubectl } from './run.ts';

test('all pods run in a namespace where the restricted Pod Security Standard is enforced', async (t) => {
  await installed(t);
  const label = '{.metadata.labels.pod-security\\.kubernetes\\.io/enforce}';
  t.equal(await kubectl('get', 'namespace', namespace, `--output=jsonpath=${label}`), 'restricted');
  const pods = await kubectl('--namespace', namespace, 'get', 'pods', '--output=name');
  t.match(pods, /^pod\/frontdesk-redis-0$/m);
  const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: e2e-any}\nspec: {containers: [{name: any, image: any}]}\n';
  const other = apply(pod, '--namespace', namespace, '--dry-run=server');
  await t.rejects(other, /violates PodSecurity "restricted/, 'one that asks for nothing is refused there');
});

test('the service account token is in no pod that does not need it', async (t) => {
  await installed(t);
  const mounted =
    '{range .items[*]}{.metadata.labels.app\\.kubernetes\\.io/component} {.spec.automountServiceAccountToken}{"\\n"}{end}';
  const pods = await kubectl('--namespace', namespace, 'get', 'pods', `--output=jsonpath=${mounted}`);
  t.match(pods, /^redis false$/m);
});
