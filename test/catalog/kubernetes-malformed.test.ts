import { readFileSync } from 'node:fs';
import { test } from 'tap';
import { parse } from 'yaml';
import { someTemplate } from '../crds/broken-templates.ts';
import { type KubeApiServer, skipWithoutKube, startKubeApiServer } from '../kubernetes/kube-api-server.ts';
import { catalogOf, define, definition, startWatching, untilSeen, untilServed } from './watching-app.ts';

const skip = skipWithoutKube;

const odd = (name: string, more: object) => ({
  apiVersion: 'frontdesk.dev/v1alpha1',
  kind: 'ClaimTemplate',
  metadata: { name },
  ...more,
});
const source = 'oci://registry.example/some';
const parameters = (value: unknown) => ({ spec: { type: 'some', source, parameters: value } });

/** What no API server with our definition would take, and what is said of it. */
const malformed = [
  { object: odd('no-spec', {}), says: /^spec: / },
  { object: odd('text-as-spec', { spec: 'text' }), says: /^spec: / },
  { object: odd('no-source', { spec: { type: 'some' } }), says: /^spec\.source: / },
  { object: odd('number-as-source', { spec: { type: 'some', source: 5 } }), says: /^spec\.source: / },
  { object: odd('text-as-parameters', parameters('none')), says: /^spec\.parameters: / },
  { object: odd('text-as-parameter', parameters(['a'])), says: /^spec\.parameters\[0\]: / },
  { object: odd('unknown-type', parameters([{ name: 'a', type: 'date' }])), says: /^spec\.parameters\[0\]\.type: / },
  { object: odd('wrong.name', { spec: { type: 'some', source } }), says: /^metadata\.name: / },
  { object: odd('text-as-status', { spec: { type: 'some' }, status: 'fine' }), says: /^spec\.source: / },
];
const names = malformed.map(({ object }) => object.metadata.name).sort();

test('templates from before there were rules are rejected one by one, whether watched or listed; others are served', {
  skip,
}, async (t) => {
  const server = await startKubeApiServer(t);
  await defineWithoutRules(server);
  const watching = await startWatching(t, server);
  await server.apply(...malformed.map(({ object }) => object), someTemplate({ title: 'good' }));
  await untilRejected(watching);
  await untilServed(watching, { some: 'good' });
  await define(server);
  const listing = await startWatching(t, server, { DATA_DIR: t.testdir() });
  for (const app of [watching, listing]) {
    await untilServed(app, { some: 'good' });
    await untilRejected(app);
    t.equal((await app.inject('/ready')).statusCode, 200);
    const { rejected } = await catalogOf(app);
    for (const { object, says } of malformed) {
      const found = rejected.find(({ origin }: { origin: string }) => origin === `default/${object.metadata.name}`);
      t.match(found.problems, [says], object.metadata.name);
    }
  }
  // One that is mended is served, by those that watched it from the start as by the others.
  await server.kubectl(['delete', 'ct', 'no-spec']);
  await server.apply(someTemplate({ title: 'mended' }, { name: 'no-spec' }));
  for (const app of [watching, listing]) await untilServed(app, { 'no-spec': 'mended', some: 'good' });

  async function untilRejected(app: typeof watching): Promise<void> {
    const origins = async () => (await catalogOf(app)).rejected?.map(({ origin }: { origin: string }) => origin);
    const wanted = JSON.stringify(names.map((name) => `default/${name}`));
    await untilSeen(async () => JSON.stringify((await origins())?.sort()) === wanted, wanted);
  }
});

/** The definition as it could have been once: without a schema. */
async function defineWithoutRules(server: KubeApiServer): Promise<void> {
  const manifest = parse(readFileSync(definition, 'utf8'));
  for (const version of manifest.spec.versions) {
    version.schema.openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  }
  await server.apply(manifest);
  await server.kubectl(['wait', '--for=condition=Established', '-f', definition]);
}
