import { test } from 'tap';
import { RENEW_DEADLINE_MS } from '../../src/operator/lease-options.ts';
import { someTemplate } from '../crds/broken-templates.ts';
import { skipWithoutKube } from '../kubernetes/kube-api-server.ts';
import { operatorOf, twoUsers, untilLeads, untilSeen } from './processes.ts';
import { untilCondition } from './status-of.ts';
import { leaderWrites, writesOutOfTerm } from './terms.ts';

const skip = skipWithoutKube;
const COUNT = 600;
/** Writes that a leader has under way at once. */
const CONCURRENCY = 4;

test('a leader that stalls in the middle of its writes past its lease begins none when it goes on, and none that is late is taken', {
  skip,
}, async (t) => {
  const { server, start } = await twoUsers(t);
  const one = await start('one');
  await untilLeads(one);
  const two = await start('two');
  const items = Array.from({ length: COUNT }, (_, i) => someTemplate({}, { name: `t-${i}` }));
  const applied = server.apply({ apiVersion: 'v1', kind: 'List', items });
  const written = async () => leaderWrites(await server.auditLog()).length;
  await untilSeen(async () => (await written()) > 50, 'its first writes');
  one.child.kill('SIGSTOP');
  await applied;
  await untilLeads(two);
  await untilCondition(server, `t-${COUNT - 1}`, 'False ModuleUnavailable');
  const before = leaderWrites(await server.auditLog());
  const byOne = before.filter(({ user }) => user === 'one').length;
  t.ok(byOne < 2 * COUNT, `it was stopped in the middle, after ${byOne} writes`);
  await server.apply(someTemplate({ title: 'while it slept' }, { name: 't-0' }));
  one.child.kill('SIGCONT');
  const { identity } = await operatorOf(two);
  await untilSeen(async () => (await operatorOf(one)).holder === identity, 'that the first knows the second');
  const title = async () => (await (await fetch(`${one.url}/api/v1/claim-templates/t-0`)).text()).includes('slept');
  await untilSeen(title, 'that the first is up to date');
  t.equal((await operatorOf(one)).leader, false);
  await server.apply(someTemplate({}, { name: 'later' }));
  await untilCondition(server, 'later', 'False ModuleUnavailable');
  const calls = await server.auditLog();
  // What the network stack had when the process was stopped is sent when it goes on: a status goes to a version that is
  // outdated by then, and is refused; an event tells what was true when it was written.
  const late = writesOutOfTerm(calls, RENEW_DEADLINE_MS);
  t.ok(late.length <= CONCURRENCY, `${late.length} writes were under way`);
  t.same(
    late.filter(({ resource, code }) => resource === 'claimtemplates/status' && code < 300),
    [],
  );
  t.ok(leaderWrites(calls).filter(({ user }) => user === 'one').length <= byOne + CONCURRENCY);
  t.match(one.output().stdout, /this process does not lead any more/);
});
