import { resolve } from 'node:path';
import Fastify from 'fastify';
import type { Test } from 'tap';
import { openSources } from '../../src/catalog/open-sources.ts';
import { watchedCatalog } from '../../src/catalog/watched-catalog.ts';
import { createMetrics } from '../../src/http/metrics.ts';
import { createModules } from '../../src/modules/modules.ts';
import { ociLayout } from '../../src/modules/oci-layout.ts';
import type { ModuleRegistry } from '../../src/modules/registry.ts';
import { Operator, type OperatorOptions } from '../../src/operator/operator.ts';
import { readConfig } from '../../src/read-config.ts';

/** How much faster than real time tags and failures grow old. */
const AGEING = 1000;
/** How long a module may take, in real milliseconds. */
const MODULE_MS = 15_000;

export interface StartOperatorOptions {
  kubeconfig: string;
  env?: Record<string, string>;
  modulesDir?: string;
  times?: OperatorOptions['times'];
}

/** The operator of a process, put together as the server does, but for times, which may be shorter. */
export async function startOperator(t: Pick<Test, 'teardown'>, options: StartOperatorOptions) {
  const { kubeconfig, env = {}, modulesDir = resolve('templates/modules/oci'), times = {} } = options;
  const config = readConfig({ AUTH_TOKEN: 'x', CATALOG_SOURCES: 'kubernetes', KUBECONFIG: kubeconfig, ...env });
  const { log } = Fastify({ logger: false });
  const metrics = createMetrics();
  const { sources, cluster } = await openSources(config, Date.now, log);
  if (cluster === undefined) throw new Error('there is no cluster');
  const templates = watchedCatalog({ sources, metrics, clock: Date.now, log });
  let lookUps = 0;
  const layout = ociLayout(modulesDir);
  const counted: ModuleRegistry = {
    ...layout,
    resolve: (reference) => {
      lookUps += 1;
      return layout.resolve(reference);
    },
  };
  const operator = new Operator({
    cluster,
    identity: 'operator',
    rejected: () => templates.catalog.rejected,
    modules: createModules({
      registry: counted,
      now: () => performance.now() * AGEING,
      timeoutMs: MODULE_MS * AGEING,
    }),
    registry: metrics.registry,
    clock: Date.now,
    monotonic: () => performance.now(),
    random: Math.random,
    log,
    times,
  });
  cluster.follow(() => operator.refresh());
  templates.follow(() => operator.refresh());
  t.teardown(async () => {
    await operator.close();
    await templates.close();
  });
  await templates.start();
  operator.start();
  return { operator, templates, lookUps: () => lookUps };
}
