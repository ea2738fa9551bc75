import { BURST, type CatalogFigures, type Changes, SINGLE_CHANGES, TEMPLATES } from './measure-catalog.ts';
import type { Fact } from './report.ts';

const templates = `${TEMPLATES.toLocaleString('en')} templates of a cluster`;

/** What was measured of the catalog, beside its bars. */
export function catalogFacts(figures: CatalogFigures): Fact[] {
  const { firstSync, megabytes, megabytesWritten, search, single, burst } = figures;
  return [
    below(10, {
      name: 'catalog',
      title: `${templates}: from the start until they are served`,
      value: firstSync,
      unit: 's',
    }),
    fact({ name: 'catalog-memory', title: 'resident memory then', value: megabytes, unit: 'MB' }),
    fact({
      name: 'catalog-memory-written',
      title: 'when all statuses are written',
      value: megabytesWritten,
      unit: 'MB',
    }),
    below(5, { name: 'catalog-search', title: 'a search among them, p50', value: search, unit: 'ms' }),
    ...changeFacts('single', `${SINGLE_CHANGES} changes of them, one by one`, single),
    ...changeFacts('burst', `${BURST.toLocaleString('en')} changes of them, at once`, burst),
    below(1.1 * BURST, {
      name: 'catalog-burst-calls',
      title: 'calls of the API server for that',
      value: burst.calls,
      unit: '',
    }),
  ];
}

function changeFacts(name: string, title: string, { p50, p99, lag, idleLag }: Changes): Fact[] {
  const longest = 'longest lag of the event loop meanwhile';
  return [
    fact({ name: `catalog-${name}-p50`, title: `${title}: each is served after, p50`, value: p50, unit: 'ms' }),
    below(1000, { name: `catalog-${name}-p99`, title: 'p99', value: p99, unit: 'ms' }),
    below(50, { name: `catalog-${name}-lag`, title: longest, value: lag, unit: 'ms' }),
    fact({
      name: `catalog-${name}-idle-lag`,
      title: 'that of a thread with nothing to do',
      value: idleLag,
      unit: 'ms',
    }),
  ];
}

function fact(known: Omit<Fact, 'bars'>): Fact {
  return { ...known, bars: [] };
}

function below(limit: number, known: Omit<Fact, 'bars'> & { value: number }): Fact {
  return { ...known, bars: [{ text: `< ${limit} ${known.unit}`.trim(), met: known.value < limit }] };
}
