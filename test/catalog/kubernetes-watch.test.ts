import { test } from 'tap';
import { KubernetesSource } from '../../src/catalog/kubernetes-source.ts';
import { loadKubeConfig } from '../../src/kubernetes/kube-config.ts';
import { type WatchEvent, watch } from '../../src/kubernetes/watch.ts';
import { someTemplate } from '../crds/broken-templates.ts';
import { skipWithoutKube } from '../kubernetes/kube-api-server.ts';
import { silentApiServer } from '../kubernetes/silent-api-server.ts';
import { untilSeen } from './watching-app.ts';
import { auditedCluster, grant, relayed, startSource, untilFailure, untilTold } from './watching-source.ts';

const skip = skipWithoutKube;
/** A watch is renewed each second: seconds of it are as many renewals as minutes are else. */
const restless = { watchSeconds: 1, silenceMs: 5000 };

test('a watch that is quiet is renewed again and again at once, without a list, and tells what changes after that', {
  skip,
}, async (t) => {
  const { server, kubeconfig, calls } = await auditedCluster(t);
  await grant(server);
  await server.apply(someTemplate({ title: 'before' }));
  const watching = await startSource(t, kubeconfig, { times: restless });
  await untilTold(watching, { some: 'before' });
  // Pauses that doubled would take a minute.
  await untilSeen(async () => (await calls()).watches >= 8, 'the eighth watch');
  await server.apply(someTemplate({ title: 'after' }));
  await untilTold(watching, { some: 'after' });
  t.equal((await calls()).lists, 1);
  t.same(watching.connections, [undefined]);
  t.equal(watching.source.reconnects, 0);
});

test('a watch that is quiet tells how far it got before it ends', { skip }, async (t) => {
  const { server } = await auditedCluster(t);
  const list = async () => JSON.parse(await server.kubectl(['get', 'ct', '-o', 'json']));
  const events: WatchEvent[] = [];
  let opened = 0;
  await watch({
    config: loadKubeConfig(server.kubeconfig),
    path: '/apis/frontdesk.dev/v1alpha1/namespaces/default/claimtemplates',
    resourceVersion: (await list()).metadata.resourceVersion,
    seconds: 4,
    silenceMs: 60_000,
    signal: new AbortController().signal,
    onOpen: () => {
      opened += 1;
    },
    onEvent: (event) => events.push(event),
  });
  t.match(events, [{ type: 'BOOKMARK', resourceVersion: /^\d+$/ }]);
  t.equal(opened, 1);
});

test('a connection that goes dead without a word is noticed and replaced; what changed meanwhile is told', {
  skip,
}, async (t) => {
  const { server, kubeconfig: direct, calls } = await auditedCluster(t);
  await grant(server);
  await server.apply(someTemplate({ title: 'before' }));
  const { relay, kubeconfig } = await relayed(t, server, direct);
  const watching = await startSource(t, kubeconfig, { times: { watchSeconds: 10, silenceMs: 1000 } });
  await untilTold(watching, { some: 'before' });
  relay.holdAnswers();
  await untilFailure(watching, /^the API server said nothing for 1 s$/);
  await server.apply(someTemplate({ title: 'after' }));
  t.same(watching.titles(), { some: 'before' });
  relay.passAnswers();
  await untilTold(watching, { some: 'after' });
  t.ok(watching.source.reconnects > 0);
  t.equal((await calls()).lists, 1);
});

test('where the API server has forgotten what happened since, all is listed once, and right', { skip }, async (t) => {
  const { server, kubeconfig: direct, calls } = await auditedCluster(t);
  await grant(server);
  for (const name of ['changes', 'goes', 'stays']) await server.apply(someTemplate({ title: 'old' }, { name }));
  const { relay, kubeconfig } = await relayed(t, server, direct);
  const watching = await startSource(t, kubeconfig, { times: { watchSeconds: 60, silenceMs: 60_000 } });
  await untilTold(watching, { changes: 'old', goes: 'old', stays: 'old' });
  relay.holdAnswers();
  await server.apply(someTemplate({ title: 'new' }, { name: 'changes' }));
  await server.apply(someTemplate({ title: 'new' }, { name: 'comes' }));
  await server.kubectl(['delete', 'ct', 'goes']);
  await server.compact();
  // What it remembers by itself goes with it.
  await server.kill();
  await server.start();
  relay.passAnswers();
  await untilTold(watching, { changes: 'new', comes: 'new', stays: 'old' });
  t.equal((await calls()).lists, 2);
  await server.apply(someTemplate({ title: 'newer' }, { name: 'comes' }));
  await untilTold(watching, { changes: 'new', comes: 'newer', stays: 'old' });
  t.equal((await calls()).lists, 2);
});

test('a source is closed at once, also while the API server does not answer', async (t) => {
  const { config, asked } = await silentApiServer(t);
  const log = { info: () => undefined, warn: () => undefined };
  const options = { onChange: () => undefined, clock: Date.now, random: Math.random, log };
  const source = new KubernetesSource({ config, namespaces: 'all', ...options });
  const started = source.start();
  await asked;
  await source.close();
  await started;
  t.notOk(source.synced);
});
