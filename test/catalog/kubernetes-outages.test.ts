import { test } from 'tap';
import { someTemplate } from '../crds/broken-templates.ts';
import { skipWithoutKube, startKubeApiServer } from '../kubernetes/kube-api-server.ts';
import {
  catalogOf,
  define,
  definition,
  reconnects,
  startWatching,
  titles,
  untilSeen,
  untilServed,
} from './watching-app.ts';

const skip = skipWithoutKube;

test('an API server that ends and comes back is followed again; what was known is served meanwhile', {
  skip,
}, async (t) => {
  const server = await startKubeApiServer(t);
  await define(server);
  const app = await startWatching(t, server);
  await server.apply(someTemplate({ title: 'before' }));
  await untilServed(app, { some: 'before' });
  t.equal(await reconnects(app), 0);
  for (let round = 0; round < 2; round++) {
    await server.kill();
    await untilSeen(async () => (await catalogOf(app)).kubernetes.reason !== undefined, 'a reason');
    t.match((await catalogOf(app)).kubernetes, { synced: true, templates: 1, lastSync: /^\d{4}-/ });
    t.equal((await app.inject('/ready')).statusCode, 200);
    t.same(await titles(app), { some: 'before' });
    const metrics = (await app.inject('/metrics')).body;
    t.match(metrics, /^frontdesk_catalog_sync_age_seconds\{source="kubernetes"\} [0-9.e-]+$/m);
    await server.start();
    await untilSeen(async () => (await catalogOf(app)).kubernetes.reason === undefined, 'a connection');
    t.equal(await reconnects(app), round + 1);
  }
  await server.apply(someTemplate({ title: 'after' }));
  await untilServed(app, { some: 'after' });
});

test('a template that is deleted while there is no connection is not served any more afterwards', {
  skip,
}, async (t) => {
  const server = await startKubeApiServer(t);
  await define(server);
  for (const name of ['one', 'two']) await server.apply(someTemplate({ title: name }, { name }));
  const app = await startWatching(t, server);
  await untilServed(app, { one: 'one', two: 'two' });
  await server.kill();
  await untilSeen(async () => (await catalogOf(app)).kubernetes.reason !== undefined, 'a reason');
  await server.start();
  await server.kubectl(['delete', 'ct', 'one']);
  await untilServed(app, { two: 'two' });
});

test('a definition that is missing at start, comes, goes, and comes again is followed', { skip }, async (t) => {
  const server = await startKubeApiServer(t);
  const app = await startWatching(t, server);
  t.equal((await app.inject('/ready')).statusCode, 503);
  t.match((await catalogOf(app)).kubernetes, { synced: false, reason: /404|not found/i });
  await define(server);
  await untilSeen(async () => (await app.inject('/ready')).statusCode === 200, 'readiness');
  await server.apply(someTemplate({ title: 'first' }));
  await untilServed(app, { some: 'first' });
  await server.kubectl(['delete', '-f', definition]);
  await untilServed(app, {});
  await define(server);
  await server.apply(someTemplate({ title: 'again' }));
  await untilServed(app, { some: 'again' });
});
