import { setTimeout as sleep } from 'node:timers/promises';
import { KubeConfig } from '@kubernetes/client-node';
import root, { type Test, test } from 'tap';
import { Lease } from '../../src/operator/lease.ts';
import type { LeaseOptions } from '../../src/operator/lease-options.ts';
import { type KubeApiServer, skipWithoutKube, startKubeApiServer } from '../kubernetes/kube-api-server.ts';
import { silentApiServer } from '../kubernetes/silent-api-server.ts';
import { until } from '../programs/until.ts';

/** How long anything may take, in milliseconds; far longer than it takes. */
const SEEN_MS = 30_000;
/** Times in which a test can see many terms, in milliseconds. */
const quick = { durationMs: 3000, renewDeadlineMs: 2000, retryMs: 200 };
/** A lease that never runs out while a test lasts. */
const endless = { ...quick, durationMs: 3_600_000 };

const skip = skipWithoutKube;
const server = skip === false ? await startKubeApiServer(root) : undefined;

test('whoever comes first holds the lease, with the times of client-go, and renews it', { skip }, async (t) => {
  const { lease, terms } = candidate(t, 'first', { name: 'held' });
  lease.start();
  await until(() => lease.leads, SEEN_MS, never('a leader'));
  const taken = await specOf('held');
  const microTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
  t.match(taken, { holderIdentity: 'first', leaseDurationSeconds: 15, leaseTransitions: 0 });
  t.match(taken, { acquireTime: microTime, renewTime: microTime });
  await until(async () => (await specOf('held')).renewTime !== taken.renewTime, SEEN_MS, never('a renewal'));
  const { renewTime: _, ...renewed } = await specOf('held');
  t.match(taken, renewed);
  t.equal(terms.length, 1);
});

test('of many that start at once one leads, and the lease has one transition less than holders', {
  skip,
}, async (t) => {
  const candidates = ['a', 'b', 'c', 'd', 'e'].map((identity) => candidate(t, identity, { name: 'many', ...quick }));
  for (const { lease } of candidates) lease.start();
  const settled = () => candidates.every(({ lease }) => lease.holder !== undefined);
  await until(settled, SEEN_MS, never('that all know the holder'));
  t.equal(candidates.filter(({ lease }) => lease.leads).length, 1);
  t.equal(new Set(candidates.map(({ lease }) => lease.holder)).size, 1);
  t.match(await specOf('many'), { leaseTransitions: 0 });
  const [first] = candidates.filter(({ lease }) => lease.leads);
  await first?.lease.close();
  const another = () => candidates.some(({ lease }) => lease !== first?.lease && lease.leads);
  await until(another, SEEN_MS, never('another leader'));
  t.match(await specOf('many'), { leaseTransitions: 1 });
});

test('a lease that is given back is taken at once, however long it would have lasted', { skip }, async (t) => {
  const first = candidate(t, 'first', { name: 'returned', ...endless });
  const second = candidate(t, 'second', { name: 'returned', ...endless });
  first.lease.start();
  await until(() => first.lease.leads, SEEN_MS, never('a leader'));
  second.lease.start();
  await until(() => second.lease.holder === 'first', SEEN_MS, never('that the second knows'));
  t.notOk(second.lease.leads);
  await first.lease.close();
  t.same(first.lost, ['the process ends']);
  await until(() => second.lease.leads, SEEN_MS, never('that the second leads'));
});

test('a lease that is given back says so as client-go does', { skip }, async (t) => {
  const { lease } = candidate(t, 'only', { name: 'empty', ...quick });
  lease.start();
  await until(() => lease.leads, SEEN_MS, never('a leader'));
  await lease.close();
  t.match(await specOf('empty'), { holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 0 });
});

test('a holder that vanished is waited for by the own clock: wall clocks that differ by hours change nothing', {
  skip,
}, async (t) => {
  // By its wall clock, this lease was left hours ago or will be renewed in hours.
  for (const [name, renewTime] of [
    ['vanished-past', '2020-01-01T00:00:00.000000Z'],
    ['vanished-future', '2099-01-01T00:00:00.000000Z'],
  ] as const) {
    const spec = { holderIdentity: 'gone', leaseDurationSeconds: 2, leaseTransitions: 7, renewTime };
    await server?.apply({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name }, spec });
    const { lease } = candidate(t, 'next', { name, ...quick });
    const started = performance.now();
    lease.start();
    await until(() => lease.leads, SEEN_MS, never('a leader'));
    t.ok(performance.now() - started >= 2000, 'not before the duration of the lease is over');
    t.match(await specOf(name), { holderIdentity: 'next', leaseTransitions: 8 });
  }
});

test('a lease that its holder renews is never taken', { skip }, async (t) => {
  const first = candidate(t, 'first', { name: 'renewed', ...quick });
  const second = candidate(t, 'second', { name: 'renewed', ...quick });
  first.lease.start();
  await until(() => first.lease.leads, SEEN_MS, never('a leader'));
  second.lease.start();
  await sleep(2 * quick.durationMs);
  t.equal(second.terms.length, 0);
  t.equal(first.terms.length, 1);
  t.ok(first.lease.leads);
});

test('a lease that another one took is lost at once', { skip }, async (t) => {
  const { lease, terms, lost } = candidate(t, 'first', { name: 'taken', ...endless });
  lease.start();
  await until(() => lease.leads, SEEN_MS, never('a leader'));
  await server?.kubectl(['patch', 'lease', 'taken', '--type=merge', '-p', '{"spec":{"holderIdentity":"other"}}']);
  await until(() => lost.length > 0, SEEN_MS, never('the loss'));
  t.same(lost, ['other holds the lease']);
  t.ok(terms[0]?.signal.aborted);
  t.notOk(terms[0]?.held);
  await lease.close();
  t.match(await specOf('taken'), { holderIdentity: 'other' }, 'what is not ours is not given back');
});

test('a lease that is deleted is made again', { skip }, async (t) => {
  const { lease, lost } = candidate(t, 'first', { name: 'deleted', ...quick });
  lease.start();
  await until(() => lease.leads, SEEN_MS, never('a leader'));
  // A renewal that is under way makes it again as well, and the holder never misses it: then once more.
  while (lost.length === 0) {
    await server?.kubectl(['delete', 'lease', 'deleted']);
    await until(async () => (await specOf('deleted')).holderIdentity === 'first', SEEN_MS, never('a new lease'));
  }
  t.same(lost, ['nobody holds the lease']);
});

test('a holder that the API server does not answer leads no more after the deadline, and again when it does', {
  skip,
}, async (t) => {
  const { lease, terms, lost, logged } = candidate(t, 'first', { name: 'outage', ...quick });
  lease.start();
  await until(() => lease.leads, SEEN_MS, never('a leader'));
  await server?.kill();
  await until(() => lost.length > 0, SEEN_MS, never('the loss'));
  t.same(lost, ['the lease could not be renewed in time']);
  t.match(lease.failure, /ECONNREFUSED/);
  await server?.start();
  await until(() => lease.leads, SEEN_MS, never('a second term'));
  t.equal(terms.length, 2);
  t.equal(lease.failure, undefined);
  const reasons = logged.filter(({ level }) => level === 'warn');
  t.ok(reasons.length <= 5, `told once per reason: ${JSON.stringify(reasons)}`);
});

test('an API server that takes requests and never answers is given up on, and closing does not wait for it', async (t) => {
  const { config, asked } = await silentApiServer(t);
  const { lease } = candidate(t, 'first', { name: 'silent', ...quick, config });
  lease.start();
  await asked;
  await until(() => lease.failure !== undefined, SEEN_MS, never('a reason'));
  t.match(lease.failure, /timeout/);
  await lease.close();
  t.notOk(lease.leads);
});

test('without permission there is no leader, and the reason is told', { skip }, async (t) => {
  const { lease } = candidate(t, 'nobody', { name: 'forbidden', ...quick, config: anonymous() });
  lease.start();
  await until(() => lease.failure !== undefined, SEEN_MS, never('a reason'));
  t.match(lease.failure, /^40[13] /);
  t.notOk(lease.leads);
});

interface Candidate {
  lease: Lease;
  terms: { held: boolean; signal: AbortSignal }[];
  lost: string[];
  logged: { level: string; fields: unknown }[];
}

function candidate(t: Test, identity: string, options: Partial<LeaseOptions>): Candidate {
  const terms: Candidate['terms'] = [];
  const lost: string[] = [];
  const logged: Candidate['logged'] = [];
  const logger = (level: string) => (fields: unknown) => {
    logged.push({ level, fields });
  };
  const lease = new Lease({
    config: adminOf(server),
    namespace: 'default',
    identity,
    onAcquired: (term) => terms.push(term),
    onLost: (reason) => lost.push(reason),
    clock: Date.now,
    monotonic: () => performance.now(),
    random: Math.random,
    log: { info: logger('info'), warn: logger('warn') },
    ...options,
  });
  t.teardown(() => lease.close());
  return { lease, terms, lost, logged };
}

function adminOf(server: KubeApiServer | undefined): KubeConfig {
  const config = new KubeConfig();
  if (server !== undefined) config.loadFromFile(server.kubeconfig);
  return config;
}

function anonymous(): KubeConfig {
  const config = adminOf(server);
  config.users = [{ name: 'admin', token: 'of nobody' }];
  return config;
}

async function specOf(name: string): Promise<Record<string, unknown>> {
  return JSON.parse((await server?.kubectl(['get', 'lease', name, '-o', 'json'])) ?? '{}').spec;
}

function never(what: string) {
  return (cause: unknown) => new Error(`${what} is never seen`, { cause });
}
