import { type Test, test } from 'tap';
import { RENEW_DEADLINE_MS } from '../../src/operator/lease-options.ts';
import { someTemplate } from '../crds/broken-templates.ts';
import { type KubeApiServer, skipWithoutKube } from '../kubernetes/kube-api-server.ts';
import { operatorOf, type Replica, twoUsers, untilLeads, untilSeen } from './processes.ts';
import { untilCondition } from './status-of.ts';
import { leaderWrites, leaseWrites, writesOutOfTerm } from './terms.ts';

const skip = skipWithoutKube;
const SECOND = 1_000_000;

test('when the leader is killed another one leads after 15 s, and there are never two who write', {
  skip,
}, async (t) => {
  const replicas = await busyReplicas(t);
  replicas.one.child.kill('SIGKILL');
  const killed = Date.now() / 1000;
  const leases = await takenOver(t, replicas);
  const last = leases.findLast(({ user }) => user === 'one');
  const next = leases.find(({ user }) => user === 'two');
  const pause = ((next?.received ?? 0) - (last?.received ?? 0)) / SECOND;
  t.comment(`${((next?.received ?? 0) / SECOND - killed).toFixed(1)} s after it was killed`);
  t.ok(pause >= 15, `not before the lease ran out: ${pause} s`);
  // The pause between two looks, and the time that looks take.
  t.ok(pause <= 15 + 2 + 2, `not long after: ${pause} s`);
});

test('a leader that is asked to end gives the lease back, and the next leads at once', { skip }, async (t) => {
  const replicas = await busyReplicas(t);
  replicas.one.child.kill('SIGTERM');
  t.equal(await replicas.one.exited, 0);
  const leases = await takenOver(t, replicas);
  const returned = leases.find(({ holder }) => holder === '');
  t.equal(returned?.user, 'one');
  const next = leases.find(({ user }) => user === 'two');
  const pause = ((next?.received ?? 0) - (returned?.received ?? 0)) / SECOND;
  t.ok(pause > 0 && pause < 10, `less than a lease lasts: ${pause} s`);
});

/** Two replicas, of which the first writes without end. */
async function busyReplicas(t: Test) {
  const replicas = await twoReplicas(t);
  const changes = keepChanging(replicas.server);
  await untilCondition(replicas.server, 'changing-9', 'False ModuleUnavailable');
  return { ...replicas, changes };
}

/** Waits until the second replica leads and writes, and checks that each wrote in its term; all writes of the lease. */
async function takenOver(t: Test, { server, two, changes }: Awaited<ReturnType<typeof busyReplicas>>) {
  await untilLeads(two);
  await server.apply(someTemplate({}, { name: 'later' }));
  await untilCondition(server, 'later', 'False ModuleUnavailable');
  await changes.stop();
  const calls = await server.auditLog();
  t.same(writesOutOfTerm(calls, RENEW_DEADLINE_MS), []);
  t.same(new Set(leaderWrites(calls).map(({ user }) => user)), new Set(['one', 'two']));
  return leaseWrites(calls);
}

/** Two processes, of which the first leads and the second knows. */
async function twoReplicas(t: Test): Promise<{ server: KubeApiServer; one: Replica; two: Replica }> {
  const { server, start } = await twoUsers(t);
  const one = await start('one');
  await untilLeads(one);
  const two = await start('two');
  const { identity } = await operatorOf(one);
  await untilSeen(async () => (await operatorOf(two)).holder === identity, 'that the second knows the first');
  t.equal((await operatorOf(two)).leader, false);
  return { server, one, two };
}

/** Changes templates again and again, so that there is always a status to write. */
function keepChanging(server: KubeApiServer) {
  let isOver = false;
  const change = async () => {
    for (let i = 0; !isOver; i += 1)
      await server.apply(someTemplate({ title: `${i}` }, { name: `changing-${i % 10}` }));
  };
  const changed = change();
  return {
    stop: async () => {
      isOver = true;
      await changed;
    },
  };
}
