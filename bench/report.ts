import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import type { Figures } from './measure.ts';
import { formatTable } from './table.ts';

/** A bar, and whether it was met. */
export interface JudgedBar {
  text: string;
  met: boolean;
}

/** What was measured under one title; the first server is the one that the others are compared with. */
export interface Result {
  name: string;
  title: string;
  servers: { label: string; figures: Figures }[];
  bars: JudgedBar[];
}

/** A single number. */
export interface Fact {
  name: string;
  title: string;
  value: number | undefined;
  unit: string;
  bars: JudgedBar[];
}

export interface Report {
  results: Result[];
  facts: Fact[];
  /** What could not be measured, and why. */
  failures: { name: string; reason: string }[];
}

const heading = ['', 'req/s', 'p50 ms', 'p99 ms', 'CPU s/100k', 'Redis', 'core', 'ratio', 'bar'];

/** The report as text for a terminal. */
export function formatReport({ results, facts, failures }: Report): string {
  const figures = results.flatMap(({ title, servers, bars }) => [
    [title],
    ...servers.map(({ label, figures }, i) => figureCells(label, figures, servers[0]?.figures, i === 0 ? bars : [])),
  ]);
  const numbers = facts.map(({ title, value, unit, bars }) => [
    title,
    value === undefined ? 'n/a' : `${value.toFixed(2)} ${unit}`,
    formatBars(bars),
  ]);
  return [
    ...(figures.length > 0 ? [formatTable([heading, ...figures]), ''] : []),
    ...(numbers.length > 0 ? [formatTable(numbers), ''] : []),
    ...failures.map(({ name, reason }) => `FAILED ${name}: ${reason}`),
  ].join('\n');
}

/** Writes the report, and what it was measured on, to `results.json` in `dir`. */
export function writeReport(report: Report, dir: string): void {
  mkdirSync(dir, { recursive: true });
  const [cpu] = cpus();
  const machine = { node: process.version, platform: process.platform, cores: cpus().length, cpu: cpu?.model };
  const date = new Date().toISOString();
  writeFileSync(join(dir, 'results.json'), `${JSON.stringify({ date, machine, ...report }, null, 2)}\n`);
}

function figureCells(
  label: string,
  figures: Figures,
  first: Figures | undefined,
  bars: readonly JudgedBar[],
): string[] {
  const { rps, p50, p99, cpu, redis, busy } = figures;
  return [
    `  ${label}`,
    Math.round(rps).toLocaleString('en'),
    p50.toFixed(2),
    p99.toFixed(2),
    cpu === undefined ? 'n/a' : cpu.toFixed(2),
    redis === undefined ? '' : redis.toFixed(2),
    busy === undefined ? 'n/a' : `${Math.round(busy * 100)} %`,
    first === undefined || first === figures ? '' : (first.rps / rps).toFixed(2),
    formatBars(bars),
  ];
}

function formatBars(bars: readonly JudgedBar[]): string {
  return bars.map(({ text, met }) => `${text}: ${met ? 'met' : 'missed'}`).join(', ');
}
