import type { Test } from 'tap';
import { until } from '../programs/until.ts';
import { type RedisServer, startRedis } from './redis-server.ts';
import type { RedisSettings } from './redis-settings.ts';

/** How long all may take to know of each other, in milliseconds. */
const READY_MS = 30_000;
/** How long the sentinels may take to agree on another master, in milliseconds. */
const FAILOVER_MS = 30_000;

const name = 'frontdesk';
const quorum = 2;
const monitoring = ['down-after-milliseconds 1000', 'failover-timeout 3000', 'parallel-syncs 1'];
/**
 * Some of what a sentinel does from time to time it does more often, and after a pause of the machine it holds still for
 * a second only. Pings stay rare: the shorter their period, the sooner a replica's state is too old for a promotion.
 */
const hurry = 'ASK-PERIOD 100 PUBLISH-PERIOD 200 INFO-PERIOD 500 TILT-PERIOD 1000'.split(' ');

/** One master with two replicas, watched by three sentinels. */
export interface RedisSentinel {
  /** What the sentinels call the master. */
  name: string;
  sentinels: { host: string; port: number }[];
  /** The processes of `sentinels`, in the same order. */
  sentinelServers: RedisServer[];
  /** The first of these is the master at first. */
  servers: RedisServer[];
  /** The master, as the first sentinel says that answers. */
  master(): Promise<RedisServer>;
  /** Waits until all sentinels that run say that another one than `former` is master, and it takes writes. */
  masterAfter(former: RedisServer): Promise<RedisServer>;
}

/**
 * Starts the whole, and waits until the replicas are in step and the sentinels know each other.
 * @param settings of master and replicas; `requirepass` is also what they use with each other
 */
export async function startSentinel(t: Pick<Test, 'teardown'>, settings: RedisSettings = {}): Promise<RedisSentinel> {
  const { requirepass: password } = settings;
  // A replica would be waited for, so that more of them are synchronized at once.
  const shared = { 'repl-diskless-sync-delay': '0', ...(password && { masterauth: password }), ...settings };
  const master = await startRedis(t, shared);
  const replica = { ...shared, replicaof: `${master.host} ${master.port}` };
  const servers = [master, await startRedis(t, replica), await startRedis(t, replica)];
  await untilReady(servers, async () => (await replicasInStep(master)) === servers.length - 1);

  const options = [...monitoring, ...(password ? [`auth-pass ${password}`] : [])];
  const sentinel = [
    `monitor ${name} ${master.host} ${master.port} ${quorum}`,
    ...options.map((option) => option.replace(' ', ` ${name} `)),
  ];
  const sentinelServers: RedisServer[] = [];
  for (let i = 0; i < 3; i++) {
    const started = await startRedis(t, { sentinel, loglevel: 'notice' }, ['--sentinel']);
    await started.cli('SENTINEL', 'DEBUG', ...hurry);
    sentinelServers.push(started);
  }
  await untilReady(sentinelServers, async () => (await Promise.all(sentinelServers.map(knowsAll))).every(Boolean));

  const masterIn = async (candidates: readonly RedisServer[]) => {
    const port = await Promise.any(candidates.map(masterPort));
    const found = servers.find((server) => server.port === port);
    if (found === undefined) throw new Error(`the sentinels name an unknown master at port ${port}`);
    return found;
  };
  const masterAfter = async (former: RedisServer) => {
    const running = sentinelServers.filter((server) => server.running);
    await until(
      async () =>
        (await Promise.all(running.map(masterPort))).every(
          (port, _, [first]) => port === first && port !== former.port,
        ),
      FAILOVER_MS,
      (cause) => new Error(`no other master within ${FAILOVER_MS} ms: ${outputOf(running)}`, { cause }),
    );
    return masterIn(running);
  };
  const sentinels = sentinelServers.map(({ host, port }) => ({ host, port }));
  return { name, sentinels, sentinelServers, servers, master: () => masterIn(sentinelServers), masterAfter };
}

async function untilReady(servers: readonly RedisServer[], condition: () => Promise<boolean>): Promise<void> {
  const gaveUp = (cause: unknown) => new Error(`not ready within ${READY_MS} ms: ${outputOf(servers)}`, { cause });
  await until(condition, READY_MS, gaveUp);
}

function outputOf(servers: readonly RedisServer[]): string {
  return servers.map(({ port, output }) => `${port}: ${output}`).join('\n');
}

async function replicasInStep(master: RedisServer): Promise<number> {
  const info = await master.cli('INFO', 'replication');
  return info.match(/^slave\d+:.*state=online/gm)?.length ?? 0;
}

/** Whether a sentinel knows of both replicas and both other sentinels, and could fail over. */
async function knowsAll(sentinel: RedisServer): Promise<boolean> {
  const state = await sentinel.cli('SENTINEL', 'MASTER', name);
  // Errors while there is no quorum.
  await sentinel.cli('SENTINEL', 'CKQUORUM', name);
  return /^num-slaves\n2$/m.test(state) && /^num-other-sentinels\n2$/m.test(state);
}

async function masterPort(sentinel: RedisServer): Promise<number> {
  const [, port] = (await sentinel.cli('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name)).split('\n');
  return Number(port);
}
