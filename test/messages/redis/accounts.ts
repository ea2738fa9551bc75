import type { Test } from 'tap';
import type { RedisClient } from '../../../src/messages/redis/connect-redis.ts';
import { authorized } from '../../app.ts';
import { until } from '../../programs/until.ts';
import type { Load } from './load.ts';

/** Entries read at once. */
const PAGE = 1000;
/** How many messages that have gone wrong are shown. */
const SHOWN = 10;
/** How long the analytics may take to answer again after an outage, in milliseconds. */
const ANSWER_MS = 30_000;

/** What matters of a stream's entry here. */
export interface Entry {
  id: string;
  title: string;
  system: string;
  severity: string;
}

/** All entries of `stream`, read past the store. */
export async function entriesOf(client: RedisClient, stream: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let last = '-'; ; ) {
    const page = await client.xrange(stream, last, '+', 'COUNT', PAGE);
    for (const [id, fields] of page) {
      const field = (name: string) => fields[fields.indexOf(name) + 1] ?? '';
      entries.push({ id, title: field('title'), system: field('system'), severity: field('severity') });
    }
    if (page.length < PAGE) return entries;
    last = `(${page.at(-1)?.[0]}`;
  }
}

/** Checks that what the clients of `load` were told is what became of their messages. */
export function checkAccounts(t: Test, load: Load, entries: readonly Entry[]): void {
  const idsByTitle = new Map<string, string[]>();
  for (const { id, title } of entries) idsByTitle.set(title, [...(idsByTitle.get(title) ?? []), id]);
  checkLost(t, load.acknowledged, entries);
  const twice = [...idsByTitle].filter(([, ids]) => ids.length > 1);
  t.strictSame(twice.slice(0, SHOWN), [], 'no message stands there twice');
  const refused = [...load.refused].filter((title) => idsByTitle.has(title));
  t.strictSame(refused.slice(0, SHOWN), [], 'what was refused for certain is not there');
}

/** Checks that each acknowledged message stands among `entries`, under the id that its sender was told. */
export function checkLost(t: Test, acknowledged: ReadonlyMap<string, string>, entries: readonly Entry[]): void {
  const titles = new Map(entries.map(({ id, title }) => [id, title]));
  const lost = [...acknowledged].filter(([title, id]) => titles.get(id) !== title);
  t.strictSame(lost.slice(0, SHOWN), [], `none of ${acknowledged.size} acknowledged messages is lost`);
}

/** Checks that the analytics that `url` serves equal a recount of `entries`. */
export async function checkCounts(t: Test, url: string, entries: readonly Entry[]): Promise<void> {
  const bySystem = tally(entries.map(({ system }) => system));
  const bySeverity = tally(entries.map(({ severity }) => severity));
  const { totalMessages, severityCounts } = await read(`${url}/analytics/summary?window=all`);
  t.equal(totalMessages, entries.length, 'the total equals a recount');
  t.match(severityCounts, Object.fromEntries(bySeverity), 'the severities equal a recount');
  const { systems } = await read(`${url}/analytics/systems?window=all`);
  const counted = new Map(systems.map(({ system, count }: { system: string; count: number }) => [system, count]));
  t.strictSame(counted, bySystem, 'the systems equal a recount');
}

function tally(labels: readonly string[]): Map<string, number> {
  return new Map([...Map.groupBy(labels, (label) => label)].map(([label, all]) => [label, all.length]));
}

/** The document at `url`, asked for until it is answered: its connection may still be on its way back. */
async function read(url: string) {
  let response = await fetch(url, { headers: authorized });
  const answered = async () => {
    if (!response.ok) response = await fetch(url, { headers: authorized });
    return response.ok;
  };
  await until(answered, ANSWER_MS, () => new Error(`${url} still answers ${response.status}`));
  return JSON.parse(await response.text());
}
