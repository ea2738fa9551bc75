import { test } from 'tap';
import { someTemplate } from '../crds/broken-templates.ts';
import { skipWithoutKube } from '../kubernetes/kube-api-server.ts';
import { auditedCluster, grant, revoke, startSource, untilFailure, untilTold } from './watching-source.ts';

const skip = skipWithoutKube;

test('a permission that is missing, granted, taken away and granted again is told of, and costs one list in all', {
  skip,
}, async (t) => {
  const { server, kubeconfig, calls } = await auditedCluster(t);
  await server.apply(someTemplate({ title: 'first' }));
  const watching = await startSource(t, kubeconfig, { times: { watchSeconds: 1, silenceMs: 5000 } });
  const { source, titles } = watching;
  t.match(source.failure, /^403 claimtemplates\.frontdesk\.dev is forbidden: User "reader" cannot list resource/);
  t.notOk(source.synced);
  await grant(server);
  await untilTold(watching, { some: 'first' });
  t.equal(source.failure, undefined);
  await revoke(server);
  await untilFailure(watching, /^403/);
  await server.apply(someTemplate({ title: 'second' }));
  t.same(titles(), { some: 'first' });
  await grant(server);
  await untilTold(watching, { some: 'second' });
  t.equal(source.failure, undefined);
  t.equal(source.reconnects, 1);
  t.equal((await calls()).lists, 1);
});

test('beyond the most templates that are taken those that are known stay, and what is wrong is said', {
  skip,
}, async (t) => {
  const { server, kubeconfig } = await auditedCluster(t);
  await grant(server);
  const names = ['a', 'b', 'c'];
  for (const name of names) await server.apply(someTemplate({ title: name }, { name }));
  const tooMany = /^there are more than 2 claimtemplates, the most that are taken$/;
  const watching = await startSource(t, kubeconfig, { maxTemplates: 2 });
  t.match(watching.source.failure, tooMany);
  t.match(watching.connections, [tooMany]);
  t.notOk(watching.source.synced);
  await server.kubectl(['delete', 'ct', 'c']);
  await untilTold(watching, { a: 'a', b: 'b' });
  await server.apply(someTemplate({ title: 'd' }, { name: 'd' }));
  await untilFailure(watching, tooMany);
  t.same(watching.titles(), { a: 'a', b: 'b' });
  await server.kubectl(['delete', 'ct', 'a']);
  await untilTold(watching, { b: 'b', d: 'd' });
  t.equal(watching.source.failure, undefined);
});
