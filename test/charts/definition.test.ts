import { readFileSync } from 'node:fs';
import { test } from 'tap';
import { parse, parseAllDocuments } from 'yaml';
import { part, render, skipWithoutHelm } from './rendered.ts';

const skip = skipWithoutHelm;
const name = 'claimtemplates.frontdesk.dev';

test('the definition and its policy are those of crds/', { skip }, async (t) => {
  const release = await render();
  const definition = parse(readFileSync(`crds/${name}.yaml`, 'utf8'));
  t.same(release.at('CustomResourceDefinition', 'spec'), definition.spec);
  for (const document of parseAllDocuments(readFileSync(`crds/${name}-policy.yaml`, 'utf8'))) {
    const { kind, metadata, spec } = document.toJS();
    t.same(release.at(kind, 'spec', metadata.name), spec, kind);
  }
});

test('the definition stays when the release goes, unless you say otherwise', { skip }, async (t) => {
  const keep = (release: Awaited<ReturnType<typeof render>>) =>
    release.get('CustomResourceDefinition').metadata.annotations?.['helm.sh/resource-policy'];
  t.equal(keep(await render()), 'keep');
  t.equal(keep(await render({ crds: { keep: false } })), undefined);
});

test('a release without the definition has neither it nor the policy', { skip }, async (t) => {
  const release = await render({ crds: { enabled: false } });
  t.equal(release.find('CustomResourceDefinition'), undefined);
  t.equal(release.find('ValidatingAdmissionPolicy'), undefined);
  const without = await render({ crds: { admissionPolicy: false } });
  t.ok(without.find('CustomResourceDefinition'));
  t.equal(without.find('ValidatingAdmissionPolicyBinding'), undefined);
});

test('built-in templates are served behind those of the cluster, and can be left out', { skip }, async (t) => {
  const sources = 'data.CATALOG_SOURCES';
  t.equal((await render()).at('ConfigMap', sources, 'frontdesk'), 'kubernetes,folder');
  const without = await render({ templates: { builtin: false } });
  t.equal(without.at('ConfigMap', sources, 'frontdesk'), 'kubernetes');
  t.match(part(without.get('Pod'), 'spec.containers.0.env'), [{}, { name: 'TEMPLATE', value: '' }]);
});
