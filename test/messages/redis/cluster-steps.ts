import type { Test } from 'tap';
import { freePort } from '../../../bench/free-port.ts';
import { until } from '../../programs/until.ts';
import { type RedisServer, startRedis } from '../../redis/redis-server.ts';

/** How long a replica may take until it is in step, in milliseconds. */
const IN_STEP_MS = 30_000;
const MIGRATE_MS = 5000;

/** Starts one more node, and waits until `master` has it as its replica. */
export async function addReplica(t: Test, master: RedisServer): Promise<void> {
  const busPort = String(await freePort());
  const replica = await startRedis(t, { 'cluster-enabled': 'yes', 'cluster-port': busPort });
  const gaveUp = (cause: unknown) => new Error('the replica is never in step', { cause });
  await master.cli('CLUSTER', 'MEET', replica.host, String(replica.port), busPort);
  const id = await master.cli('CLUSTER', 'MYID');
  // Until it has heard of the master it refuses.
  await until(async () => (await replica.cli('CLUSTER', 'REPLICATE', id)) === 'OK', IN_STEP_MS, gaveUp);
  const inStep = async () => (await master.cli('INFO', 'replication')).includes('state=online');
  await until(inStep, IN_STEP_MS, gaveUp);
}

/** Begins to move the slot of `key` from one node to another: it is on its way, and of its keys `key` alone has arrived. */
export async function moveOnly(key: string, from: RedisServer, to: RedisServer): Promise<void> {
  const slot = await from.cli('CLUSTER', 'KEYSLOT', key);
  await to.cli('CLUSTER', 'SETSLOT', slot, 'IMPORTING', await from.cli('CLUSTER', 'MYID'));
  await from.cli('CLUSTER', 'SETSLOT', slot, 'MIGRATING', await to.cli('CLUSTER', 'MYID'));
  await from.cli('MIGRATE', to.host, String(to.port), key, '0', String(MIGRATE_MS));
}
