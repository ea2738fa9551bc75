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
  /** Share of one core that the server used: well below 1, the load was not enough to fill it. */
  busy: number | undefined;
}

export interface MeasureOptions {
  request: LoadRequest;
  connections: number;
  seconds: number;
  rounds: number;
}

/** How long each server is warmed up before it is measured, in seconds. */
const WARM_UP = 1;

/**
 * Measures servers side by side: one after the other, and that again in each round, so that what disturbs the machine
 * for a while disturbs all of them. Each figure is the median of its rounds.
 */
export async function measure<K extends string>(
  servers: Record<K, ServerProcess>,
  { request, connections, seconds, rounds }: MeasureOptions,
): Promise<Record<K, Figures>> {
  const names = Object.keys(servers) as K[];
  const measured = Object.fromEntries(names.map((name) => [name, []])) as Record<string, Figures[]> as Record<
    K,
    Figures[]
  >;
  for (const name of names) await load({ url: servers[name].url, request, connections, seconds: WARM_UP });
  for (let round = 0; round < rounds; round++) {
    for (const name of names) measured[name].push(await measureOnce(servers[name], { request, connections, seconds }));
  }
  return Object.fromEntries(names.map((name) => [name, medians(measured[name])])) as Record<K, Figures>;
}

async function measureOnce(server: ServerProcess, options: Omit<MeasureOptions, 'rounds'>): Promise<Figures> {
  const before = cpuSeconds(server.pid);
  const { requests, duration, p50, p99 } = await load({ ...options, url: server.url });
  const after = cpuSeconds(server.pid);
  const used = before === undefined || after === undefined ? undefined : after - before;
  return {
    rps: requests / duration,
    p50,
    p99,
    cpu: used === undefined ? undefined : (used / requests) * 100_000,
    busy: used === undefined ? undefined : used / duration,
  };
}

function medians(rounds: readonly Figures[]): Figures {
  const of = (name: 'rps' | 'p50' | 'p99') => median(rounds.map((figures) => figures[name]));
  const ofKnown = (name: 'cpu' | 'busy') => {
    const known = rounds.map((figures) => figures[name]).filter((value) => value !== undefined);
    return known.length === 0 ? undefined : median(known);
  };
  return { rps: of('rps'), p50: of('p50'), p99: of('p99'), cpu: ofKnown('cpu'), busy: ofKnown('busy') };
}
