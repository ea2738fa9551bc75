import type { Test } from 'tap';
import { freePort } from '../../bench/free-port.ts';
import { until } from '../programs/until.ts';
import { type RedisServer, startRedis } from './redis-server.ts';
import type { RedisSettings } from './redis-settings.ts';

/** How long the nodes may take to agree on something, in milliseconds. */
const AGREE_MS = 30_000;
const MIGRATE_MS = 5000;
/** Keys migrated at once. */
const MIGRATE_KEYS = 100;

/** Three masters without replicas. */
export interface RedisCluster {
  nodes: { host: string; port: number }[];
  /** The processes of `nodes`, in the same order. */
  servers: RedisServer[];
  /** The node that has the slot of `key` now. */
  ownerOf(key: string): Promise<RedisServer>;
  /**
   * Moves the slot of `key` and all keys in it to the next node.
   * @param between called when the keys have moved and the slot has not: the former node answers ASK
   */
  moveSlotOf(key: string, between?: () => Promise<void>): Promise<{ slot: number; from: RedisServer; to: RedisServer }>;
}

/** Starts the whole, and waits until all nodes agree that it is complete. */
export async function startCluster(t: Pick<Test, 'teardown'>, settings: RedisSettings = {}): Promise<RedisCluster> {
  const servers: RedisServer[] = [];
  const addresses: string[] = [];
  for (let i = 0; i < 3; i++) {
    // A port of its own: otherwise it is 10000 above the other, where it can be taken, or no port at all.
    const busPort = String(await freePort());
    const clustered = { 'cluster-enabled': 'yes', 'cluster-node-timeout': '2000', 'cluster-port': busPort };
    const started = await startRedis(t, { ...clustered, ...settings });
    servers.push(started);
    addresses.push(`${started.host}:${started.port}@${busPort}`);
  }
  const [first] = servers;
  await first?.cli('--cluster', 'create', ...addresses, '--cluster-yes');
  await untilAgreed(servers, async (server) => {
    const info = await server.cli('CLUSTER', 'INFO');
    return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${servers.length}`);
  });

  const ownerIn = async (slot: number) => {
    const running = servers.filter((server) => server.running);
    const owns = await Promise.all(running.map((server) => hasSlot(server, slot)));
    const owner = running.find((_, i) => owns[i]);
    if (owner === undefined) throw new Error(`no node that runs has slot ${slot}`);
    return owner;
  };
  const slotOf = async (key: string) => {
    const asked = servers.find((server) => server.running);
    return Number(await asked?.cli('CLUSTER', 'KEYSLOT', key));
  };
  const moveSlotOf = async (key: string, between?: () => Promise<void>) => {
    const slot = await slotOf(key);
    const from = await ownerIn(slot);
    const to = servers[(servers.indexOf(from) + 1) % servers.length] ?? from;
    await migrate(slot, from, to);
    await between?.();
    const owner = await to.cli('CLUSTER', 'MYID');
    const others = servers.filter((server) => server !== from && server !== to);
    for (const server of [to, from, ...others]) await server.cli('CLUSTER', 'SETSLOT', String(slot), 'NODE', owner);
    return { slot, from, to };
  };
  const nodes = servers.map(({ host, port }) => ({ host, port }));
  return { nodes, servers, ownerOf: async (key) => ownerIn(await slotOf(key)), moveSlotOf };
}

async function untilAgreed(
  servers: readonly RedisServer[],
  agrees: (server: RedisServer) => Promise<boolean>,
): Promise<void> {
  await until(
    async () => (await Promise.all(servers.map(agrees))).every(Boolean),
    AGREE_MS,
    (cause) => {
      const outputs = servers.map(({ port, output }) => `${port}: ${output}`);
      return new Error(`no agreement within ${AGREE_MS} ms: ${outputs.join('\n')}`, { cause });
    },
  );
}

/** Asks the node about itself only: what it knows of others may be old. */
async function hasSlot(server: RedisServer, slot: number): Promise<boolean> {
  const nodes = await server.cli('CLUSTER', 'NODES');
  const myself = nodes.split('\n').find((line) => line.includes('myself'));
  // After eight fields of other things: `5`, `7-9`, and what is on its way as `[11->-…]`.
  const ranges = (myself ?? '').split(' ').slice(8);
  return ranges.some((range) => {
    const [from, to = from] = range.split('-').map(Number);
    return from !== undefined && to !== undefined && from <= slot && slot <= to;
  });
}

async function migrate(slot: number, from: RedisServer, to: RedisServer): Promise<void> {
  const number = String(slot);
  await to.cli('CLUSTER', 'SETSLOT', number, 'IMPORTING', await from.cli('CLUSTER', 'MYID'));
  await from.cli('CLUSTER', 'SETSLOT', number, 'MIGRATING', await to.cli('CLUSTER', 'MYID'));
  for (;;) {
    const keys = await from.cli('CLUSTER', 'GETKEYSINSLOT', number, String(MIGRATE_KEYS));
    if (keys === '') return;
    const target = [to.host, String(to.port), '', '0', String(MIGRATE_MS)];
    await from.cli('MIGRATE', ...target, 'KEYS', ...keys.split('\n'));
  }
}
