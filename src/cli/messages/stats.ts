import { setTimeout as sleep } from 'node:timers/promises';
import type { Static } from '@sinclair/typebox';
import { Alerts, Summary, Systems } from '../../analytics/standings.ts';
import { parseDuration } from '../../duration.ts';
import { type ApiClient, apiClient } from '../api/api-client.ts';
import type { ApiFlags } from '../api/api-flags.ts';
import { apiSettings } from '../api/api-settings.ts';
import { Failure, report } from '../failure.ts';
import { statsText } from './stats-text.ts';

const MIN_INTERVAL_MS = 500;
const MAX_INTERVAL_MS = 3_600_000;
/** Clears a terminal, and goes to its first line. */
const CLEAR = '\x1b[2J\x1b[H';

export interface StatsOptions extends ApiFlags {
  window: string;
  watch: boolean;
  interval: string;
  json: boolean;
}

export interface Stats {
  summary: Static<typeof Summary>;
  systems: Static<typeof Systems>;
  alerts: Static<typeof Alerts>;
}

/** `frontdesk stats`: how things stand; with `watch`, again and again, until interrupted. */
export async function showStats(options: StatsOptions): Promise<void> {
  const call = apiClient(await apiSettings(options, process.env), process.env);
  const pause = intervalOf(options);
  print(await readStats(call, options), options);
  while (options.watch) {
    await sleep(pause);
    // What worked once may work again.
    await readStats(call, options).then((stats) => print(stats, options), report);
  }
}

function intervalOf({ interval }: StatsOptions): number {
  const ms = parseDuration(interval);
  if (ms !== undefined && ms >= MIN_INTERVAL_MS && ms <= MAX_INTERVAL_MS) return ms;
  throw new Failure('usage', `--interval ${interval}: write a duration such as 5s, from 500ms to 1h`);
}

async function readStats(call: ApiClient, { window }: StatsOptions): Promise<Stats> {
  const query = new URLSearchParams({ window });
  const [summary, systems, alerts] = await Promise.all([
    call({ method: 'GET', path: 'analytics/summary', query, answer: Summary }),
    call({ method: 'GET', path: 'analytics/systems', query, answer: Systems }),
    call({ method: 'GET', path: 'analytics/alerts', query, answer: Alerts }),
  ]);
  return { summary, systems, alerts };
}

function print(stats: Stats, { json, watch }: StatsOptions): void {
  if (json) console.log(JSON.stringify(stats));
  else process.stdout.write(`${watch && process.stdout.isTTY ? CLEAR : ''}${statsText(stats)}\n`);
}
