// `npm run bench`: measures the service beside its floors. README.md says how to read it. Ends with 0 also where a bar is
// missed, since timings are the machine's as much as the program's; with 1 where something could not be measured.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reasonOf } from '../src/reason-of.ts';
import { skipWithoutKube } from '../test/kubernetes/kube-api-server.ts';
import { helmCommand } from '../test/modules/helm/helm-command.ts';
import { catalogFacts } from './catalog-facts.ts';
import { FEW_MESSAGES, type Kept, measureAnalytics } from './measure-analytics.ts';
import { measureCatalog } from './measure-catalog.ts';
import { measureCommand } from './measure-command.ts';
import { measureHelm } from './measure-helm.ts';
import { LARGE, measureLargePayload } from './measure-large-payload.ts';
import { measureRow } from './measure-row.ts';
import { measureStart } from './measure-start.ts';
import { readOptions } from './options.ts';
import { formatReport, type Report, writeReport } from './report.ts';
import { type Row, rows } from './rows.ts';

const out = fileURLToPath(new URL('out', import.meta.url));
const options = readOptions(process.argv.slice(2));
const report: Report = { results: [], facts: [], failures: [] };

for (const row of rows) await attempt(row.name, (dir) => http(row, dir));
await attempt('start', start);
await attempt('command', command);
await attempt('analytics', (dir) => analytics('embedded', 2, dir));
await attempt('redis-analytics', (dir) => analytics('redis', 1.5, dir));
await attempt('redis-large-payload', largePayload);
await attempt('helm', helm);
await attempt('catalog', catalog);

console.log(`\n${formatReport(report)}`);
writeReport(report, out);
process.exitCode = report.failures.length > 0 ? 1 : 0;

/** Runs one part, on a disk folder of its own, unless other parts were asked for. One that fails leaves the others be. */
async function attempt(name: string, part: (dir: string) => Promise<void>): Promise<void> {
  if (!name.includes(options.only)) return;
  const dir = join(out, `run-${process.pid}`, name);
  mkdirSync(dir, { recursive: true });
  console.error(`${name} …`);
  try {
    await part(dir);
  } catch (error) {
    const reason = reasonOf(error);
    console.error(`FAILED ${name}: ${reason}`);
    report.failures.push({ name, reason });
  } finally {
    rmSync(join(out, `run-${process.pid}`), { recursive: true, force: true });
  }
}

async function http(row: Row, dir: string): Promise<void> {
  const servers = await measureRow(row, options, dir);
  const [frontdesk, floor] = servers.map(({ figures }) => figures);
  report.results.push({
    name: row.name,
    title: `${row.title}, ${row.connections} connections`,
    servers,
    bars: row.bars.map(({ text, isMet }) => ({ text, met: frontdesk && floor ? isMet(frontdesk, floor) : false })),
  });
}

async function start(dir: string): Promise<void> {
  const { seconds, megabytes } = await measureStart(options.rounds, dir);
  report.facts.push({
    name: 'start',
    title: 'npm start, installed, to the first 200 of /health',
    value: seconds,
    unit: 's',
    bars: [{ text: '< 1.5 s', met: seconds < 1.5 }],
  });
  report.facts.push({
    name: 'memory',
    title: 'resident memory, idle for 5 s',
    value: megabytes,
    unit: 'MB',
    bars: megabytes === undefined ? [] : [{ text: '< 120 MB', met: megabytes < 120 }],
  });
}

async function command(): Promise<void> {
  const { compiled, bundled, bare } = await measureCommand();
  const bars = (ms: number) => [{ text: '< 150 ms', met: ms < 150 }];
  report.facts.push(
    {
      name: 'command',
      title: `frontdesk --version; Node alone: ${Math.round(bare)} ms`,
      value: compiled,
      unit: 'ms',
      bars: bars(compiled),
    },
    { name: 'command-bundled', title: 'the same, as one file', value: bundled, unit: 'ms', bars: bars(bundled) },
  );
}

async function analytics(kept: Kept, share: number, dir: string): Promise<void> {
  const { few, many } = await measureAnalytics(kept, options, dir);
  report.results.push({
    name: kept === 'redis' ? 'redis-analytics' : 'analytics',
    title: `GET /analytics/summary of a day${kept === 'redis' ? ' on Redis' : ''}, 1 connection`,
    servers: [
      { label: `${options.messages.toLocaleString('en')} messages`, figures: many },
      { label: `${FEW_MESSAGES.toLocaleString('en')} messages`, figures: few },
    ],
    bars: [
      { text: `p50 ≤ ${share} × that of few`, met: many.p50 <= share * few.p50 },
      { text: 'p50 < 5 ms', met: many.p50 < 5 },
    ],
  });
}

async function largePayload(dir: string): Promise<void> {
  const { seconds, blockedMs } = await measureLargePayload(options.rounds, dir);
  report.facts.push({
    name: 'redis-large-payload',
    title: `POST /pitch/alerting on Redis, ${LARGE.toLocaleString('en')} alerts in one payload`,
    value: seconds,
    unit: 's',
    bars: [{ text: '< 1 s', met: seconds < 1 }],
  });
  report.facts.push({
    name: 'redis-large-payload-lag',
    title: 'longest time that held up the event loop meanwhile',
    value: blockedMs,
    unit: 'ms',
    bars: [{ text: '≤ 100 ms', met: blockedMs <= 100 }],
  });
}

async function helm(): Promise<void> {
  const found = await helmCommand();
  if ('missing' in found) {
    console.error(`left out: ${found.missing}`);
    return;
  }
  const { order, alone } = await measureHelm();
  report.facts.push({
    name: 'helm',
    title: `warm order of a chart; helm template alone: ${Math.round(alone)} ms`,
    value: order,
    unit: 'ms',
    bars: [{ text: '≤ 1.3 × helm alone', met: order <= 1.3 * alone }],
  });
}

async function catalog(dir: string): Promise<void> {
  if (skipWithoutKube !== false) {
    console.error(`left out: ${skipWithoutKube}`);
    return;
  }
  report.facts.push(...catalogFacts(await measureCatalog(dir)));
}
