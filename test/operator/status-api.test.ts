import root, { type Test, test } from 'tap';
import { parseTemplate } from '../../src/catalog/parse-template.ts';
import { Connections } from '../../src/kubernetes/connections.ts';
import { loadKubeConfig } from '../../src/kubernetes/kube-config.ts';
import type { ObservedTemplate } from '../../src/operator/observed-template.ts';
import { StatusApi } from '../../src/operator/status-api.ts';
import { Term } from '../../src/operator/term.ts';
import { someTemplate } from '../crds/broken-templates.ts';
import { skipWithoutKube } from '../kubernetes/kube-api-server.ts';
import { silentApiServer } from '../kubernetes/silent-api-server.ts';
import { withDefinition } from './with-definition.ts';

const skip = skipWithoutKube;
const server = skip === false ? await withDefinition(root) : undefined;

test('a status goes to the version that it is about, and to no other', { skip }, async (t) => {
  const template = await applied('versions');
  const { api } = apiOf(t);
  t.equal(await api.apply(template, { parameters: 1 }), true);
  t.equal(await api.apply(template, { parameters: 2 }), false, 'there is another version now');
  t.same((await read('versions')).status, { parameters: 1 });
  await server?.kubectl(['delete', 'ct', 'versions']);
  t.equal(await api.apply(template, { parameters: 3 }), false, 'it is gone');
  await applied('versions');
  t.equal(await api.apply(template, { parameters: 4 }), false, 'it is another object');
  t.equal((await read('versions')).status, undefined);
});

test('once its time is over a term lets no write out, even before the timer that ends it had its turn', {
  skip,
}, async (t) => {
  const template = await applied('late');
  const { api, pass } = apiOf(t);
  pass(10_000);
  await t.rejects(api.apply(template, { parameters: 1 }), /does not lead any more/);
  t.same(await sentFor('late'), []);
});

test('a write is not sent either if the time runs out while a connection is made', { skip }, async (t) => {
  const template = await applied('connecting');
  const times = [0, 0];
  const { api } = apiOf(t, undefined, () => times.shift() ?? 10_000);
  await t.rejects(api.apply(template, { parameters: 1 }), { cause: /does not lead any more/ });
  t.same(times, [], 'it was the leader when it began');
  t.same(await sentFor('connecting'), []);
});

test('a write that is under way is given up when the term ends', async (t) => {
  const { config, asked } = await silentApiServer(t);
  const { api, term } = apiOf(t, config);
  const write = api.apply(observed('any', { namespace: 'default', uid: '1', resourceVersion: '1', generation: 1 }), {});
  const rejected = t.rejects(write, /taken/);
  await asked;
  term.end('taken');
  await rejected;
});

function apiOf(t: Test, config = loadKubeConfig(server?.kubeconfig), monotonic?: () => number) {
  let now = 0;
  const term = new Term({ monotonic: monotonic ?? (() => now), until: 10_000, onEnd: () => undefined });
  t.teardown(() => term.end('the test is over'));
  const connections = new Connections();
  t.teardown(() => connections.close());
  const pass = (ms: number) => {
    now += ms;
  };
  return { api: new StatusApi(config, term, connections), term, pass };
}

async function sentFor(template: string) {
  const calls = (await server?.auditLog()) ?? [];
  return calls.filter(({ resource, name }) => name === template && resource === 'claimtemplates/status');
}

async function applied(name: string): Promise<ObservedTemplate> {
  await server?.apply(someTemplate({}, { name }));
  const { metadata } = await read(name);
  return observed(name, metadata);
}

function observed(
  name: string,
  metadata: Pick<ObservedTemplate, 'namespace' | 'uid' | 'resourceVersion' | 'generation'>,
) {
  return { ...metadata, name, parsed: parseTemplate(someTemplate()), conflict: undefined, status: {} };
}

async function read(name: string) {
  return JSON.parse((await server?.kubectl(['get', 'ct', name, '-o', 'json'])) ?? '{}');
}
