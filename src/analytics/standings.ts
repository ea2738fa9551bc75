import { type Static, Type } from '@sinclair/typebox';
import { severities } from '../messages/message.ts';
import type { Count } from '../messages/message-store.ts';

/** Specification "Limits": systems analytics is limited to the top 20. */
export const TOP_SYSTEMS = 20;

/** Severities which the alerts document counts; specification "GET /analytics/alerts". */
const alertSeverities = ['error', 'critical'] as const;

const Counted = Type.Integer({ minimum: 0 });
const SystemCounts = Type.Array(Type.Object({ system: Type.String(), count: Counted }), { maxItems: TOP_SYSTEMS });
const Timestamp = Type.String({ description: 'ISO 8601, UTC.' });
const TimeWindow = Type.String({ description: 'The window that was counted: a Go duration, or `all`.' });

export const Summary = Type.Object({
  totalMessages: Counted,
  severityCounts: Type.Record(Type.String(), Counted, {
    description: 'By severity; info, success, warning, error and critical are always there.',
  }),
  timeWindow: TimeWindow,
  lastUpdated: Timestamp,
});

export const Systems = Type.Object({
  systems: SystemCounts,
  total: Type.Integer({ minimum: 0, description: 'Distinct systems, also those that are not listed.' }),
  timeWindow: TimeWindow,
  lastUpdated: Timestamp,
});

export const Alerts = Type.Object({
  totalAlerts: Counted,
  severityCounts: Type.Object({ error: Counted, critical: Counted }),
  topSystems: SystemCounts,
  timeWindow: TimeWindow,
  lastUpdated: Timestamp,
});

type Stamps = 'timeWindow' | 'lastUpdated';

/** Messages by severity. */
export function summarize(counts: readonly Count[]): Omit<Static<typeof Summary>, Stamps> {
  const severityCounts = { ...zeros(severities), ...sumBy(counts, ({ severity }) => severity) };
  return { totalMessages: total(counts), severityCounts };
}

/** Messages by system, most first; equal counts by name. */
export function rankSystems(counts: readonly Count[]): Omit<Static<typeof Systems>, Stamps> {
  const bySystem = Object.entries(sumBy(counts, ({ system }) => system));
  const systems = bySystem
    .map(([system, count]) => ({ system, count }))
    .sort((a, b) => b.count - a.count || (a.system < b.system ? -1 : 1))
    .slice(0, TOP_SYSTEMS);
  return { systems, total: bySystem.length };
}

/** Messages of severity error and critical alone. */
export function summarizeAlerts(counts: readonly Count[]): Omit<Static<typeof Alerts>, Stamps> {
  const alerts = counts.filter(({ severity }) => alertSeverities.some((name) => name === severity));
  const severityCounts = { ...zeros(alertSeverities), ...sumBy(alerts, ({ severity }) => severity) };
  return { totalAlerts: total(alerts), severityCounts, topSystems: rankSystems(alerts).systems };
}

function total(counts: readonly Count[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

function zeros<const K extends string>(keys: readonly K[]) {
  return Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;
}

/** Sums by key. The keys come from senders: an object without prototype holds even one named `__proto__`. */
function sumBy(counts: readonly Count[], keyOf: (count: Count) => string): Record<string, number> {
  const sums: Record<string, number> = Object.create(null);
  for (const count of counts) sums[keyOf(count)] = (sums[keyOf(count)] ?? 0) + count.count;
  return sums;
}
