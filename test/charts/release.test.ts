import { test } from 'tap';
import { render, skipWithoutHelm } from './rendered.ts';

const skip = skipWithoutHelm;

test('a release without values has two pods, a Redis, the definition, and no more permissions than it needs', {
  skip,
}, async (t) => {
  t.same((await render()).names, [
    'ClusterRole frontdesk-desk-edit',
    'ClusterRole frontdesk-desk-view',
    'ConfigMap frontdesk',
    'ConfigMap frontdesk-redis',
    'CustomResourceDefinition claimtemplates.frontdesk.dev',
    'Deployment frontdesk',
    'NetworkPolicy frontdesk',
    'NetworkPolicy frontdesk-redis',
    'Pod frontdesk-test',
    'PodDisruptionBudget frontdesk',
    'Role frontdesk-desk',
    'Role frontdesk-leader',
    'RoleBinding frontdesk-desk',
    'RoleBinding frontdesk-leader',
    'Secret frontdesk',
    'Service frontdesk',
    'Service frontdesk-redis',
    'ServiceAccount frontdesk',
    'StatefulSet frontdesk-redis',
    'ValidatingAdmissionPolicy claimtemplates.frontdesk.dev',
    'ValidatingAdmissionPolicyBinding claimtemplates.frontdesk.dev',
  ]);
});

const clusterWide = ['ClusterRole', 'CustomResourceDefinition', 'ValidatingAdmissionPolicy'];

test('objects are in the namespace of the release, with the labels of the field', { skip }, async (t) => {
  for (const { kind, metadata } of (await render()).manifests) {
    const isClusterWide = clusterWide.some((prefix) => kind.startsWith(prefix));
    t.equal(metadata.namespace, isClusterWide ? undefined : 'desk', `${kind} ${metadata.name}`);
    t.match(metadata.labels, {
      'app.kubernetes.io/name': 'frontdesk',
      'app.kubernetes.io/instance': 'frontdesk',
      'app.kubernetes.io/version': '0.1.0',
      'app.kubernetes.io/managed-by': 'Helm',
      'helm.sh/chart': 'frontdesk-0.1.0',
    });
  }
});

test('labels and annotations for all are on every object, and on the pods', { skip }, async (t) => {
  const release = await render({ commonLabels: { team: 'platform' }, commonAnnotations: { owner: 'me' } });
  for (const { kind, metadata } of release.manifests) {
    t.equal(metadata.labels?.team, 'platform', kind);
    t.equal(metadata.annotations?.owner, 'me', kind);
  }
  for (const [kind, name] of [
    ['Deployment', 'frontdesk'],
    ['StatefulSet', 'frontdesk-redis'],
  ] as const) {
    t.equal(release.at(kind, 'spec.template.metadata.labels.team', name), 'platform');
    t.equal(release.at(kind, 'spec.template.metadata.annotations.owner', name), 'me');
    t.equal(release.at(kind, 'spec.selector.matchLabels.team', name), undefined, 'what selects pods never changes');
  }
});

test('an object keeps annotations of its own beside those for all', { skip }, async (t) => {
  const release = await render({ commonAnnotations: { owner: 'me' }, service: { annotations: { lb: 'internal' } } });
  t.same(release.get('Service', 'frontdesk').metadata.annotations, { lb: 'internal', owner: 'me' });
  t.equal(release.get('ConfigMap', 'frontdesk').metadata.annotations?.lb, undefined);
});

const names = [
  { what: 'a release of another name', release: 'team', values: {}, name: 'team-frontdesk' },
  {
    what: 'a release with the name of the chart in its own',
    release: 'my-frontdesk',
    values: {},
    name: 'my-frontdesk',
  },
  { what: 'a name in place of the chart’s', release: 'team', values: { nameOverride: 'desk' }, name: 'team-desk' },
  { what: 'a name in place of all', release: 'team', values: { fullnameOverride: 'front' }, name: 'front' },
  { what: 'a long name', release: 'a'.repeat(53), values: {}, name: 'a'.repeat(50) },
];
for (const { what, release, values, name } of names) {
  test(`${what} is the name of the objects`, { skip }, async (t) => {
    const rendered = await render(values, release);
    t.equal(rendered.get('Deployment').metadata.name, name);
    t.equal(rendered.get('StatefulSet').metadata.name, `${name}-redis`);
    t.equal(rendered.at('ConfigMap', 'data.STREAM_ADDR', name), `${name}-redis`);
    for (const { metadata } of rendered.manifests) t.ok(metadata.name.length <= 63 + 54, metadata.name);
  });
}

test('further objects are templates', { skip }, async (t) => {
  const values = {
    extraObjects: [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '{{ include "frontdesk.fullname" . }}-more' } },
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'another' } },
    ],
  };
  const release = await render(values, 'team');
  t.ok(release.find('ConfigMap', 'team-frontdesk-more'));
  t.ok(release.find('ConfigMap', 'another'));
});
