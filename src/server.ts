import { randomInt } from 'node:crypto';
import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import { analytics } from './analytics/analytics.ts';
import { type BuildInfo, readBuildInfo } from './build-info.ts';
import { claimTemplates } from './catalog/claim-templates.ts';
import { openSources } from './catalog/open-sources.ts';
import { validateTemplate } from './catalog/validate-template.ts';
import { watchedCatalog } from './catalog/watched-catalog.ts';
import type { Config } from './config.ts';
import { accessLog } from './http/access-log.ts';
import { bearerGuard } from './http/bearer.ts';
import { drain } from './http/drain.ts';
import { health } from './http/health.ts';
import { createHttpServer } from './http/http-server.ts';
import { methodNotAllowed } from './http/method-not-allowed.ts';
import { createMetrics, measureRequests, serveMetrics } from './http/metrics.ts';
import { openapi } from './http/openapi.ts';
import { ready } from './http/ready.ts';
import { responseHeaders } from './http/response-headers.ts';
import { intake } from './intake/intake.ts';
import { measuredStore } from './messages/measured-store.ts';
import { openStore } from './messages/open-store.ts';
import { streamMetrics } from './messages/stream-metrics.ts';
import { createEngines } from './modules/engines.ts';
import { createModules } from './modules/modules.ts';
import { openRegistry } from './modules/open-registry.ts';
import { openOperator } from './operator/open-operator.ts';
import { Desk } from './orders/desk.ts';
import { orders } from './orders/orders.ts';

/** What a test may want to hold in its hands. */
export interface Surroundings {
  /** Milliseconds since the epoch. */
  clock?: () => number;
  /** An integer from 0 up to, without, its argument; by default from a cryptographic source. */
  randomIndex?: (length: number) => number;
  build?: BuildInfo;
  logger?: FastifyServerOptions['logger'];
}

/**
 * Puts one server together from its parts, by hand and top to bottom; it does not listen yet, and `close` ends all of it.
 * @throws if the embedded store cannot be opened, or a file that the configuration names cannot be read.
 */
export async function buildServer(config: Config, surroundings: Surroundings = {}): Promise<FastifyInstance> {
  const { clock = Date.now, randomIndex = randomInt, build = readBuildInfo(process.env) } = surroundings;
  const app = createHttpServer(config.MAX_BODY_BYTES, surroundings.logger ?? { level: config.LOG_LEVEL });
  const log = app.log;
  const metrics = createMetrics();

  const store = measuredStore(openStore(config, clock, log), metrics);
  streamMetrics(metrics.registry, store, clock);
  app.addHook('onClose', () => store.close());
  const { sources, cluster } = await openSources(config, clock, log);
  const templates = watchedCatalog({ sources, metrics, clock, log });
  app.addHook('onClose', () => templates.close());
  const { catalog } = templates;
  const engines = createEngines({ helm: config.HELM_BIN, kcl: config.KCL_BIN });
  app.addHook('onClose', () => engines.close());
  const registry = openRegistry(config, clock, log);
  const modules = createModules({ registry, engines, timeoutMs: config.MODULE_TIMEOUT });
  const desk = new Desk(modules, randomIndex);
  const operator =
    cluster && config.OPERATOR
      ? await openOperator({ cluster, templates, modules, registry: metrics.registry, clock, log })
      : undefined;
  // The lease is given back at once, so that the next one leads.
  const draining = drain(app, { delayMs: config.SHUTDOWN_DELAY, handOver: async () => operator?.close() });

  const addMissingMethods = methodNotAllowed(app);
  responseHeaders(app);
  accessLog(app);
  measureRequests(app, metrics);
  await openapi(app, build);
  serveMetrics(app, metrics);
  await app.register(health, { build, clock });
  await app.register(ready, {
    dependencies: {
      store: () => store.status(),
      catalog: async () => templates.status(),
      ...(operator && { operator: async () => operator.status() }),
    },
    drain: draining,
  });
  await app.register(intake, {
    store,
    clock,
    authenticate: bearerGuard(config.AUTH_TOKEN, 'status'),
    codehostSecrets: [config.CODEHOST_WEBHOOK_SECRET, config.CODEHOST_WEBHOOK_SECRET_PREVIOUS].filter(
      (secret) => secret !== undefined,
    ),
    allowUnsigned: config.CODEHOST_ALLOW_UNSIGNED,
    alertDedupMs: config.ALERT_DEDUP,
  });
  const authenticate = bearerGuard(config.AUTH_TOKEN, 'simple');
  await app.register(analytics, { store, clock, authenticate });
  await app.register(async (claims) => {
    if (config.CLAIMS_AUTH === 'all') claims.addHook('onRequest', authenticate);
    await claims.register(claimTemplates, { catalog, errorShape: config.ERROR_SHAPE });
    await claims.register(validateTemplate);
  });
  await app.register(async (claims) => {
    if (config.CLAIMS_AUTH !== 'none') claims.addHook('onRequest', authenticate);
    await claims.register(orders, { catalog, desk, metrics, clock, errorShape: config.ERROR_SHAPE });
  });
  addMissingMethods();
  await templates.start();
  operator?.start();
  return app;
}
