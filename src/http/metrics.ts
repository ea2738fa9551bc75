import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Seconds; from well under a warm order to the slowest module pull. */
const latencyBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** All metrics of one server, in a registry of its own. Names by https://prometheus.io/docs/practices/naming/ */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requestDuration: new Histogram({
      name: 'frontdesk_http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last byte of its response.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: latencyBuckets,
      registers,
    }),
    messages: new Counter({
      name: 'frontdesk_messages_total',
      help: 'Messages enqueued, duplicates left out.',
      labelNames: ['source', 'severity'] as const,
      registers,
    }),
    duplicates: new Counter({
      name: 'frontdesk_message_duplicates_total',
      help: 'Messages not enqueued because an equal idempotency key was seen before.',
      labelNames: ['source'] as const,
      registers,
    }),
    storeFailures: new Counter({
      name: 'frontdesk_store_failures_total',
      help: 'Messages that could not be enqueued.',
      labelNames: ['source'] as const,
      registers,
    }),
    orders: new Counter({
      name: 'frontdesk_orders_total',
      help: 'Orders by outcome: rendered, dry_run, invalid, failed.',
      labelNames: ['template', 'result'] as const,
      registers,
    }),
    renderDuration: new Histogram({
      name: 'frontdesk_render_duration_seconds',
      help: 'Time to resolve the module and render the claim.',
      labelNames: ['template'] as const,
      buckets: latencyBuckets,
      registers,
    }),
    templates: new Gauge({
      name: 'frontdesk_catalog_templates',
      help: 'Templates in the catalog.',
      registers,
    }),
    templateProblems: new Gauge({
      name: 'frontdesk_catalog_problems',
      help: 'Files or templates that are not served because something is wrong with them.',
      registers,
    }),
  };
}
export type Metrics = ReturnType<typeof createMetrics>;

/** Measures every request. */
export function measureRequests(app: FastifyInstance, { requestDuration }: Metrics): void {
  // Routes, methods and statuses are few, and looking one up by its labels costs more than observing it.
  const known = new Map<string, { observe(seconds: number): void }>();
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const key = `${request.method} ${route} ${reply.statusCode}`;
    let series = known.get(key);
    if (series === undefined) {
      series = requestDuration.labels(request.method, route, String(reply.statusCode));
      known.set(key, series);
    }
    series.observe(reply.elapsedTime / 1000);
    done();
  });
}

/** `GET /metrics`, in the Prometheus text format. */
export function serveMetrics(app: FastifyInstance, { registry }: Metrics): void {
  const text = { 'text/plain': { schema: { type: 'string' } } };
  const schema = {
    summary: 'Metrics in the Prometheus text format',
    tags: ['service'],
    response: { 200: { description: 'One line per sample.', content: text } },
  };
  app.get('/metrics', { schema }, async (_request, reply) => {
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}
