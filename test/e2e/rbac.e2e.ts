import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { test } from 'tap';
import { namespace } from '../../hack/kind/settings.mjs';
import { installed } from './installed.ts';
import { run } from './run.ts';

const account = `system:serviceaccount:${namespace}:frontdesk`;

const Names = Type.Array(Type.String());
const Rule = Type.Object({
  verbs: Names,
  apiGroups: Names,
  resources: Names,
  resourceNames: Type.Optional(Names),
});
type Rule = Static<typeof Rule>;
const Review = Type.Object({ status: Type.Object({ resourceRules: Type.Array(Rule) }) });

/** What the service account may do in a namespace, as the API server reviews it for itself. */
async function rulesIn(namespace: string): Promise<Rule[]> {
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace } };
  const args = ['create', `--as=${account}`, '--validate=false', '--output=json', '--filename=-'];
  const answer = await run('kubectl', args, { input: JSON.stringify(review) });
  const { status } = Value.Parse(Review, JSON.parse(answer));
  // Everybody may ask what they are, and may do.
  return status.resourceRules.filter(
    ({ apiGroups }) => !['authorization.k8s.io', 'authentication.k8s.io'].includes(apiGroups[0] ?? ''),
  );
}

const told = (rules: Rule[]) =>
  rules
    .map(({ verbs, apiGroups, resources, resourceNames = [] }) =>
      [verbs.sort(), apiGroups, resources, resourceNames]
        .map((names) => names.join())
        .join(' ')
        .trim(),
    )
    .sort();

test('the service account may do in its namespace what it needs, and nothing else', async (t) => {
  await installed(t);
  t.same(told(await rulesIn(namespace)), [
    'create coordination.k8s.io leases',
    'create events.k8s.io events',
    'get,update coordination.k8s.io leases frontdesk',
    'list,watch frontdesk.dev claimtemplates',
    'patch frontdesk.dev claimtemplates/status',
  ]);
});

test('the service account may do nothing in other namespaces', async (t) => {
  await installed(t);
  t.same(told(await rulesIn('default')), []);
  t.same(told(await rulesIn('kube-system')), []);
});

test('the service account cannot read secrets or start pods', async (t) => {
  await installed(t);
  const can = (verb: string, what: string) =>
    run('kubectl', ['auth', 'can-i', verb, what, `--as=${account}`, '--namespace', namespace]).then(
      () => true,
      () => false,
    );
  t.equal(await can('watch', 'claimtemplates.frontdesk.dev'), true);
  for (const [verb, what] of [
    ['get', 'secrets'],
    ['list', 'secrets'],
    ['get', 'configmaps'],
    ['create', 'pods'],
    ['create', 'pods/exec'],
    ['update', 'claimtemplates.frontdesk.dev'],
    ['get', 'lease/another'],
  ] as const) {
    t.equal(await can(verb, what), false, `${verb} ${what}`);
  }
});
