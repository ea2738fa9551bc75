import type { FastifyBaseLogger } from 'fastify';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Metrics } from '../http/metrics.ts';
import type { DependencyStatus } from '../http/ready.ts';
import { Catalog, type CatalogSnapshot, type RejectedTemplate } from './catalog.ts';
import type { CatalogSource, OpenSource } from './catalog-source.ts';
import { problemText } from './check-template.ts';

/** Most rejected templates that `/ready` and the log list. */
const MAX_LISTED = 20;

export interface WatchedCatalog {
  catalog: Catalog;
  /** Reads all sources for the first time, and follows them from then on. */
  start(): Promise<void>;
  /** Has `listener` called after each change of the catalog. */
  follow(listener: () => void): void;
  status(): DependencyStatus;
  close(): Promise<void>;
}

export interface WatchedCatalogOptions {
  /** By name; where two have a template of the same name, that of the first is served. */
  sources: Readonly<Record<string, OpenSource>>;
  metrics: Pick<Metrics, 'registry' | 'templates' | 'templateProblems'>;
  clock: () => number;
  log: FastifyBaseLogger;
}

/** A catalog that follows its sources, and says in log, metrics and `/ready` what is wrong with templates and sources. */
export function watchedCatalog({ sources, metrics, clock, log }: WatchedCatalogOptions): WatchedCatalog {
  const names = Object.keys(sources);
  const catalog = new Catalog();
  const snapshots = new Map<string, CatalogSnapshot>();
  const listeners: (() => void)[] = [];
  let told: ReadonlySet<string> = new Set();
  const logRejected = () => {
    const listed = new Map(catalog.rejected.slice(0, MAX_LISTED).map((one) => [JSON.stringify(one), one]));
    for (const [text, rejected] of listed) if (!told.has(text)) log.warn(rejected, 'template rejected');
    told = new Set(listed.keys());
  };
  const changed = (source: string) => (snapshot: CatalogSnapshot) => {
    snapshots.set(source, snapshot);
    const inOrder = names.map((name) => snapshots.get(name)).filter((known) => known !== undefined);
    catalog.replace({
      templates: inOrder.flatMap(({ templates }) => templates),
      rejected: inOrder.flatMap(({ rejected }) => rejected),
    });
    metrics.templates.set(catalog.size);
    metrics.templateProblems.set(catalog.rejected.length);
    log.info({ source, templates: catalog.size, rejected: catalog.rejected.length }, 'catalog loaded');
    logRejected();
    for (const listener of listeners) listener();
  };
  const open = new Map(Object.entries(sources).map(([name, make]) => [name, make(changed(name))]));
  measureAge(metrics.registry, open, clock);
  countReconnects(metrics.registry, open);

  return {
    catalog,
    start: async () => {
      await Promise.all([...open.values()].map((source) => source.start()));
    },
    close: async () => {
      await Promise.all([...open.values()].map((source) => source.close()));
    },
    follow: (listener) => {
      listeners.push(listener);
    },
    // A broken template is reported, but only a source that was never read makes the service not ready.
    status: () => ({
      ready: [...open.values()].every(({ synced }) => synced),
      details: {
        templates: catalog.size,
        sources: Object.fromEntries([...open].map(([name, source]) => [name, describe(source, snapshots.get(name))])),
        ...(catalog.rejected.length > 0 && { rejected: listed(catalog.rejected) }),
      },
    }),
  };
}

function describe({ synced, syncedAt, failure }: CatalogSource, snapshot: CatalogSnapshot | undefined) {
  return {
    synced,
    ...(snapshot !== undefined && { templates: snapshot.templates.length }),
    ...(syncedAt !== undefined && { lastSync: new Date(syncedAt).toISOString() }),
    ...(failure !== undefined && { reason: failure }),
  };
}

function measureAge(registry: Registry, sources: ReadonlyMap<string, CatalogSource>, clock: () => number): void {
  new Gauge({
    name: 'frontdesk_catalog_sync_age_seconds',
    help: 'Time since the templates of a source were last known to be all there are.',
    labelNames: ['source'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const [source, { syncedAt }] of sources) {
        if (syncedAt !== undefined) this.set({ source }, (clock() - syncedAt) / 1000);
      }
    },
  });
}

function countReconnects(registry: Registry, sources: ReadonlyMap<string, CatalogSource>): void {
  new Counter({
    name: 'frontdesk_catalog_reconnects_total',
    help: 'Times that the templates of a source could be read again after they could not.',
    labelNames: ['source'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const [source, { reconnects }] of sources) this.inc({ source }, reconnects);
    },
  });
}

function listed(rejected: readonly RejectedTemplate[]) {
  return rejected.slice(0, MAX_LISTED).map(({ origin, problems }) => ({
    origin,
    problems: problems.map(problemText),
  }));
}
