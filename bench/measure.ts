import { type LoadRequest, load } from './load.ts';
import { median } from './median.ts';
import { cpuSeconds } from './process-usage.ts';
import type { ServerProcess } from './server-process.ts';

/** What one server did under load; times in milliseconds. */
export interface Figures {
  rps: number;
  p50: number;
  p99: number;
  /** CPU seconds of the server per 100,000 requests; undefined where the system does not tell. */
  cpu: number | undefined;
  /** CPU seconds of the Redis behind the server, likewise; undefined also where there is none. */
  redis: number | undefined;
  /** Share of one core that the server used: well below 1, the load was not enough to fill it. */
  busy: number | undefined;
}

export interface MeasureOptions {
  request: LoadRequest;
  connections: number;
  seconds: number;
  rounds: number;
  /** The Redis behind the servers, if they have one. */
  redisPid?: number | undefined;
}

/** How long each server is warmed up before it is measured, in seconds. */
const WARM_UP = 1;

/**
 * Measures servers side by side: one after the other, and that again in each round, so that what disturbs the machine
 * for a while disturbs all of them. Each figure is the median of its rounds.
 */
export async function measure<K extends string>(
  servers: Record<K, ServerProcess>,
  { rounds, ...options }: MeasureOptions,
): Promise<Record<K, Figures>> {
  const names = Object.keys(servers) as K[];
  const measured = Object.fromEntries(names.map((name) => [name, []])) as Record<string, Figures[]> as Record<
    K,
    Figures[]
  >;
  for (const name of names) await load({ ...options, url: servers[name].url, seconds: WARM_UP });
  for (let round = 0; round < rounds; round++) {
    for (const name of names) measured[name].push(await measureOnce(servers[name], options));
  }
  return Object.fromEntries(names.map((name) => [name, medians(measured[name])])) as Record<K, Figures>;
}

async function measureOnce(server: ServerProcess, options: Omit<MeasureOptions, 'rounds'>): Promise<Figures> {
  const { redisPid } = options;
  const cpu = () => [cpuSeconds(server.pid), redisPid === undefined ? undefined : cpuSeconds(redisPid)] as const;
  const [before, redisBefore] = cpu();
  const { requests, duration, p50, p99 } = await load({ ...options, url: server.url });
  const [after, redisAfter] = cpu();
  const used = difference(before, after);
  const redis = difference(redisBefore, redisAfter);
  return {
    rps: requests / duration,
    p50,
    p99,
    cpu: used === undefined ? undefined : (used / requests) * 100_000,
    redis: redis === undefined ? undefined : (redis / requests) * 100_000,
    busy: used === undefined ? undefined : used / duration,
  };
}

function difference(before: number | undefined, after: number | undefined): number | undefined {
  return before === undefined || after === undefined ? undefined : after - before;
}

function medians(rounds: readonly Figures[]): Figures {
  const of = (name: 'rps' | 'p50' | 'p99') => median(rounds.map((figures) => figures[name]));
  const ofKnown = (name: 'cpu' | 'redis' | 'busy') => {
    const known = rounds.map((figures) => figures[name]).filter((value) => value !== undefined);
    return known.length === 0 ? undefined : median(known);
  };
  return {
    rps: of('rps'),
    p50: of('p50'),
    p99: of('p99'),
    cpu: ofKnown('cpu'),
    redis: ofKnown('redis'),
    busy: ofKnown('busy'),
  };
}
