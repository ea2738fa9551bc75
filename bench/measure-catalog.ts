import { setTimeout as sleep } from 'node:timers/promises';
import { loadKubeConfig } from '../src/kubernetes/kube-config.ts';
import { define } from '../test/catalog/watching-app.ts';
import { auditedGroup } from '../test/kubernetes/audit-log.ts';
import { type KubeApiServer, startKubeApiServer } from '../test/kubernetes/kube-api-server.ts';
import { until } from '../test/programs/until.ts';
import { ClusterTemplates, nameOf } from './cluster-templates.ts';
import { longestLag } from './event-loop-lag.ts';
import { IdleLag } from './idle-lag.ts';
import { percentile } from './percentile.ts';
import { residentMegabytes } from './process-usage.ts';
import { token } from './rows.ts';
import { ServedCatalog } from './served-catalog.ts';
import { startServer } from './server-process.ts';
import { changeAtOnce, changeOneByOne } from './time-changes.ts';

export const TEMPLATES = 5_000;
export const SINGLE_CHANGES = 200;
export const BURST = 1_000;
const SEARCHES = 200;
const USER = 'frontdesk';
/** How long anything may take that is waited for, in milliseconds. */
const PATIENCE_MS = 300_000;
/** When no status was written for this time, none is to be written; in milliseconds. */
const QUIET_MS = 3_000;

/** How long changes took to be served once the API server had them, and what that cost. */
export interface Changes {
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Longest lag of the event loop of the server, and of one that has nothing to do, in milliseconds. */
  lag: number;
  idleLag: number;
  /** Calls of the API server about templates and events. */
  calls: number;
}

export interface CatalogFigures {
  /** From the start of the process until all templates are served, in seconds. */
  firstSync: number;
  /** Resident memory when all are served, and when the status of each is written; undefined where the system does not tell. */
  megabytes: number | undefined;
  megabytesWritten: number | undefined;
  /** The list with a search that one template matches: its p50 in milliseconds. */
  search: number;
  single: Changes;
  burst: Changes;
}

interface Watched {
  cluster: KubeApiServer;
  url: string;
  idle: IdleLag;
}

/** Measures the catalog of a real API server with many templates, their status written as well. `dir` is for state. */
export async function measureCatalog(dir: string): Promise<CatalogFigures> {
  await using started = new AsyncDisposableStack();
  const { cluster, kubeconfig } = await startCluster(started);
  const templates = new ClusterTemplates(loadKubeConfig(cluster.kubeconfig));
  started.defer(async () => templates.close());
  await templates.create(TEMPLATES);
  console.error(`  ${TEMPLATES.toLocaleString('en')} templates created`);
  const startedAt = performance.now();
  const env = { AUTH_TOKEN: token, DATA_DIR: dir, CATALOG_SOURCES: 'kubernetes', KUBECONFIG: kubeconfig };
  const server = await startServer({ entry: 'src/main.ts', env });
  started.defer(() => server.stop());
  const served = new ServedCatalog(server.url);
  await until(async () => (await served.size()) === TEMPLATES, PATIENCE_MS, late);
  const firstSync = (performance.now() - startedAt) / 1000;
  const megabytes = residentMegabytes(server.pid);
  await untilQuiet(cluster);
  console.error('  the status of each is written');
  const megabytesWritten = residentMegabytes(server.pid);
  const search = await searchTime(served);
  const idle = new IdleLag();
  started.defer(() => idle.close());
  const watched = { cluster, url: server.url, idle };
  const single = await changes(watched, () => changeOneByOne(templates, served, SINGLE_CHANGES));
  const burst = await changes(watched, () => changeAtOnce(templates, served, BURST));
  return { firstSync, megabytes, megabytesWritten, search, single, burst };
}

async function startCluster(started: AsyncDisposableStack): Promise<{ cluster: KubeApiServer; kubeconfig: string }> {
  let kubeconfig = '';
  const t = { teardown: (end: () => unknown) => started.defer(async () => void (await end())) };
  const cluster = await startKubeApiServer(t, async (prepared) => {
    kubeconfig = await prepared.addUser(USER, [auditedGroup, 'system:masters']);
  });
  await define(cluster);
  return { cluster, kubeconfig };
}

async function changes({ cluster, url, idle }: Watched, make: () => Promise<number[]>): Promise<Changes> {
  const before = await ownCalls(cluster);
  await Promise.all([longestLag(url), idle.longest()]);
  const times = await make();
  const [lag, idleLag] = await Promise.all([longestLag(url), idle.longest()]);
  await untilQuiet(cluster);
  const calls = (await ownCalls(cluster)) - before;
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), lag, idleLag, calls };
}

async function searchTime(served: ServedCatalog): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < SEARCHES; i++) {
    const startedAt = performance.now();
    const matches = await served.search(nameOf((i * 7919) % TEMPLATES));
    times.push(performance.now() - startedAt);
    if (matches !== 1) throw new Error(`${matches} templates match`);
  }
  return percentile(times, 0.5);
}

/** Those that come as time passes, to keep the lease, are left out. */
async function ownCalls(cluster: KubeApiServer): Promise<number> {
  const calls = await cluster.auditLog();
  return calls.filter(({ user, resource }) => user === USER && resource !== 'leases').length;
}

async function untilQuiet(cluster: KubeApiServer): Promise<void> {
  let before: number;
  let now = await ownCalls(cluster);
  const isQuiet = async () => {
    before = now;
    await sleep(QUIET_MS);
    now = await ownCalls(cluster);
    return now === before;
  };
  await until(isQuiet, PATIENCE_MS, late);
}

function late(cause: unknown): Error {
  return new Error(`the catalog is not done after ${PATIENCE_MS} ms`, { cause });
}
