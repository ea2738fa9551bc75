import { readdirSync } from 'node:fs';
import tap, { test } from 'tap';
import { parseTemplate } from '../../src/catalog/parse-template.ts';
import { documentedParameters, documentedTemplate } from '../catalog/documented-templates.ts';
import { type KubeApiServer, skipWithoutKube, startKubeApiServer } from '../kubernetes/kube-api-server.ts';
import { until } from '../programs/until.ts';
import { brokenTemplates, someTemplate } from './broken-templates.ts';

const POLICY_MS = 20_000;

const skip = skipWithoutKube;
const server = skip ? undefined : await startServer();

async function startServer(): Promise<KubeApiServer> {
  const started = await startKubeApiServer(tap);
  await started.apply('crds/');
  // A policy is in force a moment after it is there.
  const wrong = someTemplate({ parameters: [{ name: 'a', type: 'string', default: 5 }] });
  await until(
    async () => (await refusal(started, wrong)) !== undefined,
    POLICY_MS,
    (cause) => new Error('the policy is never in force', { cause }),
  );
  return started;
}

/** What `kubectl` says of a template that the API server refuses. */
async function refusal(to: KubeApiServer, template: object): Promise<string | undefined> {
  try {
    await to.kubectl(['create', '--dry-run=server', '-f', '-'], JSON.stringify(template));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function started(): KubeApiServer {
  if (server === undefined) throw new Error('no API server');
  return server;
}

test('the templates of this repository are taken, listed with their columns, and explained', { skip }, async (t) => {
  await started().apply('templates/');
  const files = readdirSync('templates').filter((name) => name.endsWith('.yaml'));
  const [head = '', ...rows] = (await started().kubectl(['get', 'ct'])).trim().split('\n');
  t.match(head, /^NAME +TYPE +SOURCE +TAG +READY +AGE$/);
  t.equal(rows.length, files.length);
  t.match(await started().kubectl(['get', 'frontdesk', '-o', 'wide']), /DIGEST/);
  const explained = await started().kubectl(['explain', 'claimtemplates.spec.parameters']);
  t.match(explained, /default\s+<Object>\s+Taken when no value is given/);
});

test('the templates of the documentation are taken', { skip }, async (t) => {
  const parameters = documentedParameters.map(({ parameter }) => parameter);
  for (const template of [documentedTemplate, someTemplate({ parameters })]) {
    t.equal((await refusal(started(), template)) ?? 'taken', 'taken');
  }
});

for (const { what, change, says } of brokenTemplates) {
  test(`${what} is refused by the API server, which says why, and by the service`, { skip }, async (t) => {
    const template = someTemplate(change);
    t.match(await refusal(started(), template), says);
    t.ok('problems' in parseTemplate(template));
  });
}

test('fields of others are kept, in the spec and in parameters', { skip }, async (t) => {
  const parameters = [{ name: 'a', type: 'string', 'x-form': { group: 'first' } }];
  await started().apply(someTemplate({ engine: { version: 2 }, parameters }, { name: 'kept' }));
  const kept = JSON.parse(await started().kubectl(['get', 'ct', 'kept', '-o', 'json']));
  t.match(kept.spec, { engine: { version: 2 }, parameters });
});

test('a template of the largest size that the rules allow is taken in time', { skip }, async (t) => {
  const parameters = Array.from({ length: 256 }, (_, i) => ({
    name: `parameter${i}`,
    type: 'string',
    pattern: '^[a-z]+[0-9]*$',
    enum: Array.from({ length: 64 }, (_, k) => `value${k}`),
    default: 'value63',
  }));
  t.equal((await refusal(started(), someTemplate({ parameters }))) ?? 'taken', 'taken');
});
