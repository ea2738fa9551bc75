import type { Test } from 'tap';
import { installed } from './installed.ts';
import { Load, type Outcome } from './load.ts';
import { openConnections, rolledOut, serverPods } from './pods.ts';
import { missingFromStream } from './redis.ts';

const CONNECTIONS = 16;

/** Ends one of the pods by `end` under load, until another one in its place takes its share. Nothing may be lost. */
export async function lostPod(t: Test, end: (pod: string) => Promise<void>): Promise<Outcome & { open: number }> {
  await installed(t);
  const load = await Load.start(t, { connections: CONNECTIONS });
  const [pod = ''] = await serverPods();
  const open = await openConnections(pod);
  await end(pod);
  await load.more(CONNECTIONS * 50);
  await rolledOut();
  await load.more(CONNECTIONS * 20);
  const outcome = await load.stop();
  const { acknowledged, refused } = outcome;
  t.comment(`${acknowledged.length} messages acknowledged, ${open} connections to the pod`);
  t.ok(open > 0, 'the pod had connections');
  t.same(await missingFromStream(acknowledged), [], 'all that was acknowledged is in the stream');
  t.equal(new Set(acknowledged).size, acknowledged.length, 'each with an id of its own');
  t.same(refused, [], 'no request was refused');
  return { ...outcome, open };
}
