import type { Count } from '../../../src/messages/message-store.ts';
import type { RedisClient } from '../../../src/messages/redis/connect-redis.ts';
import { entriesOf } from './accounts.ts';

/** Entries of one pipeline. */
const PIPELINE = 5000;

/** Appends `length` entries as somebody else might, without Frontdesk. */
export async function fill(
  client: RedisClient,
  stream: string,
  length: number,
  entry: (i: number) => readonly string[] = (i) => ['system', `system-${i % 7}`, 'severity', 'info'],
): Promise<void> {
  for (let from = 0; from < length; from += PIPELINE) {
    const batch = client.pipeline();
    for (let i = from; i < Math.min(from + PIPELINE, length); i++) batch.xadd(stream, '*', ...entry(i));
    for (const [error] of (await batch.exec()) ?? []) if (error) throw error;
  }
}

/** What the counts of `stream` must be: one for each system and severity, in the order of `sorted`. */
export async function recount(client: RedisClient, stream: string, since = 0): Promise<readonly Count[]> {
  const entries = (await entriesOf(client, stream)).filter(({ id }) => Number(id.split('-')[0]) >= since);
  const groups = Map.groupBy(entries, ({ system, severity }) => JSON.stringify([system, severity]));
  return sorted(
    [...groups.values()].map((members) => {
      const [{ system, severity } = { system: '', severity: '' }] = members;
      return { system, severity, count: members.length };
    }),
  );
}

export function sorted(counts: readonly Count[]): readonly Count[] {
  const key = ({ system, severity }: Count) => JSON.stringify([system, severity]);
  return counts
    .map(({ system, severity, count }) => ({ system, severity, count }))
    .sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

export function total(counts: readonly Count[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}
