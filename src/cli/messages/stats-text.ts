import stringWidth from 'fast-string-width';
import { severities } from '../../messages/message.ts';
import { printable } from '../output/printable.ts';
import { type Style, styled } from '../output/styled.ts';
import { padded } from '../output/table.ts';
import type { Stats } from './stats.ts';

/** Longest name that is shown whole, in characters. */
const MAX_NAME = 48;
/** Width of the longest bar, in cells; each is drawn in eighths. */
const BAR_CELLS = 30;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

const colours = new Map<string, Style>([
  ['success', 'green'],
  ['warning', 'yellow'],
  ['error', 'red'],
  ['critical', 'magenta'],
]);

type Counted = readonly [name: string, count: number, colour?: Style | undefined];

/** Summary, systems and alerts, each as a table with bars. */
export function statsText({ summary, systems, alerts }: Stats): string {
  const shown = systems.systems.map(({ system, count }): Counted => [system, count]);
  const alerting = alerts.topSystems.map(({ system, count }): Counted => [system, count]);
  const of = systems.total > shown.length ? `the first ${shown.length} of ${systems.total}` : `${systems.total}`;
  return [
    section(`Messages in ${summary.timeWindow}: ${summary.totalMessages}`, bySeverity(summary.severityCounts)),
    section(`Systems: ${of}`, shown),
    section(`Alerts: ${alerts.totalAlerts}`, alerting),
    styled('dim', `as of ${printable(summary.lastUpdated)}`),
  ].join('\n');
}

/** The known ones in their order, then whatever else there is. */
function bySeverity(counts: Readonly<Record<string, number>>): Counted[] {
  const names = new Set([...severities, ...Object.keys(counts)]);
  return [...names].map((name) => [name, counts[name] ?? 0, colours.get(name)]);
}

function section(title: string, counts: readonly Counted[]): string {
  const names = counts.map(([name]) => shortened(printable(name)));
  const most = Math.max(1, ...counts.map(([, count]) => count));
  const nameWidth = Math.max(...names.map((name) => stringWidth(name)));
  const countWidth = String(most).length;
  const lines = counts.map(([, count, colour = 'cyan'], index) => {
    const line = `  ${padded(names[index] ?? '', nameWidth)}  ${String(count).padStart(countWidth)}`;
    return `${line}  ${styled(colour, bar(count / most))}`.trimEnd();
  });
  return `${[styled('bold', printable(title)), ...lines].join('\n')}\n`;
}

/** @param share from 0 to 1; anything above 0 can be seen. */
function bar(share: number): string {
  const eighths = share === 0 ? 0 : Math.max(1, Math.round(share * BAR_CELLS * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
}

function shortened(name: string): string {
  const characters = [...name];
  return characters.length > MAX_NAME ? `${characters.slice(0, MAX_NAME - 1).join('')}…` : name;
}
