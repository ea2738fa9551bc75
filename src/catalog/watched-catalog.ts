import type { FastifyBaseLogger } from 'fastify';
import type { Metrics } from '../http/metrics.ts';
import type { DependencyStatus } from '../http/ready.ts';
import { Catalog, type RejectedTemplate } from './catalog.ts';
import { FolderSource } from './folder-source.ts';

/** Most rejected templates that `/ready` and the log list. */
const MAX_LISTED = 20;

export interface WatchedCatalog {
  catalog: Catalog;
  /** Reads the folder for the first time, and watches it from then on. */
  start(): Promise<void>;
  status(): DependencyStatus;
  close(): Promise<void>;
}

/** A catalog that follows the ClaimTemplate files of a folder, and says in log, metrics and `/ready` what is wrong with them. */
export function watchedCatalog(
  dir: string,
  metrics: Pick<Metrics, 'templates' | 'templateProblems'>,
  log: FastifyBaseLogger,
): WatchedCatalog {
  const catalog = new Catalog();
  const folder = new FolderSource({
    dir,
    log,
    onChange: (snapshot) => {
      catalog.replace(snapshot);
      metrics.templates.set(catalog.size);
      metrics.templateProblems.set(catalog.rejected.length);
      log.info({ dir, templates: catalog.size, rejected: catalog.rejected.length }, 'catalog loaded');
      for (const rejected of catalog.rejected.slice(0, MAX_LISTED)) log.warn(rejected, 'template rejected');
    },
  });

  return {
    catalog,
    start: () => folder.start(),
    close: () => folder.close(),
    // A broken template is reported, but only a folder that was never read makes the service not ready.
    status: () => ({
      ready: folder.synced,
      details: {
        templates: catalog.size,
        ...(folder.failure !== undefined && { reason: folder.failure }),
        ...(catalog.rejected.length > 0 && { rejected: listed(catalog.rejected) }),
      },
    }),
  };
}

function listed(rejected: readonly RejectedTemplate[]) {
  return rejected.slice(0, MAX_LISTED).map(({ origin, problems }) => ({
    origin,
    problems: problems.map(({ path, reason }) => `${path}: ${reason}`),
  }));
}
