import { join } from 'node:path';
import { type Test, test } from 'tap';
import { someTemplate } from '../crds/broken-templates.ts';
import { skipWithoutKube, startKubeApiServer } from '../kubernetes/kube-api-server.ts';
import { templateYaml } from './templates.ts';
import { catalogOf, define, startWatching, titles, untilSeen, untilServed } from './watching-app.ts';

const skip = skipWithoutKube;

test('a template that is applied, changed and deleted is served so, without a restart', { skip }, async (t) => {
  const { server, app } = await watching(t);
  t.match((await app.inject('/ready')).json(), { status: 'ready' });
  await server.apply(someTemplate({ title: 'first' }));
  await untilServed(app, { some: 'first' });
  await server.apply(someTemplate({ title: 'second' }));
  await untilServed(app, { some: 'second' });
  await server.kubectl(['delete', 'ct', 'some']);
  await untilServed(app, {});
});

test('a template that is broken past what the API server refuses is reported, and disturbs no other', {
  skip,
}, async (t) => {
  const { server, app } = await watching(t);
  // Without its policy the API server takes a default of any type.
  await server.apply(someTemplate({ parameters: [{ name: 'a', type: 'string', default: 5 }] }, { name: 'broken' }));
  await server.apply(someTemplate({ title: 'good' }));
  await untilServed(app, { some: 'good' });
  const { rejected } = await catalogOf(app);
  t.match(rejected, [{ origin: 'default/broken', problems: ['spec.parameters[0].default: must be a string'] }]);
  t.equal((await app.inject('/ready')).statusCode, 200);
  t.equal((await app.inject('/api/v1/claim-templates/broken')).statusCode, 404);
});

test('of one namespace, several, or all of them templates are served', { skip }, async (t) => {
  const { server, app: own } = await watching(t);
  const several = await startWatching(t, server, {
    WATCH_NAMESPACES: 'team-a,team-b',
    DATA_DIR: join(t.testdirName, 'several'),
  });
  const all = await startWatching(t, server, { WATCH_NAMESPACES: '*', DATA_DIR: join(t.testdirName, 'all') });
  for (const namespace of ['team-a', 'team-b', 'team-c']) {
    await server.kubectl(['create', 'namespace', namespace]);
    await server.apply(someTemplate({ title: namespace }, { name: namespace, namespace }));
  }
  await server.apply(someTemplate({ title: 'own' }, { name: 'own' }));
  await untilServed(own, { own: 'own' });
  await untilServed(several, { 'team-a': 'team-a', 'team-b': 'team-b' });
  await untilServed(all, { own: 'own', 'team-a': 'team-a', 'team-b': 'team-b', 'team-c': 'team-c' });
});

test('of two templates of one name in two namespaces the older is served, and the other when that is gone', {
  skip,
}, async (t) => {
  const { server, app } = await watching(t, { WATCH_NAMESPACES: '*' });
  await server.kubectl(['create', 'namespace', 'a-team']);
  await server.apply(someTemplate({ title: 'older' }));
  // Ages are told in whole seconds.
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await server.apply(someTemplate({ title: 'younger' }, { namespace: 'a-team' }));
  await untilSeen(async () => (await catalogOf(app)).rejected?.length === 1, 'the conflict');
  t.same(await titles(app), { some: 'older' });
  t.match((await catalogOf(app)).rejected, [
    { origin: 'a-team/some', problems: ['metadata.name: some is taken by default/some'] },
  ]);
  await server.kubectl(['delete', 'ct', 'some']);
  await untilServed(app, { some: 'younger' });
});

test('with two sources the first that is named wins where both have a template', { skip }, async (t) => {
  const server = await startKubeApiServer(t);
  await define(server);
  await server.apply(someTemplate({ title: 'of the cluster' }));
  const TEMPLATES_DIR = t.testdir({ 'some.yaml': templateYaml('some', { title: 'of the folder' }) });
  for (const [CATALOG_SOURCES, winner] of [
    ['folder,kubernetes', 'of the folder'],
    ['kubernetes,folder', 'of the cluster'],
  ] as const) {
    const app = await startWatching(t, server, { CATALOG_SOURCES, TEMPLATES_DIR, DATA_DIR: `${TEMPLATES_DIR}/data` });
    await untilSeen(async () => (await catalogOf(app)).rejected?.length === 1, 'the conflict');
    t.same(await titles(app), { some: winner });
    await app.close();
  }
});

async function watching(t: Test, env: Record<string, string> = {}) {
  const server = await startKubeApiServer(t);
  await define(server);
  return { server, app: await startWatching(t, server, env) };
}
