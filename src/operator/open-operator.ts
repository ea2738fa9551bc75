import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { FastifyBaseLogger } from 'fastify';
import type { Registry } from 'prom-client';
import type { Cluster } from '../catalog/open-sources.ts';
import type { WatchedCatalog } from '../catalog/watched-catalog.ts';
import type { Modules } from '../modules/modules.ts';
import type { Operator } from './operator.ts';

export interface OpenOperatorOptions {
  cluster: Cluster;
  templates: WatchedCatalog;
  modules: Modules;
  registry: Registry;
  clock: () => number;
  log: FastifyBaseLogger;
}

/** An operator that follows the catalog. The Kubernetes client is loaded where it is needed only. */
export async function openOperator({ templates, ...options }: OpenOperatorOptions): Promise<Operator> {
  const { Operator } = await import('./operator.ts');
  const operator = new Operator({
    ...options,
    // Where two containers have one host name, as two processes on one machine do, they are two all the same.
    identity: `${hostname()}_${randomBytes(4).toString('hex')}`,
    rejected: () => templates.catalog.rejected,
    monotonic: () => performance.now(),
    random: Math.random,
  });
  // A name may be taken by a template of another source.
  templates.follow(() => operator.refresh());
  options.cluster.follow(() => operator.refresh());
  return operator;
}
