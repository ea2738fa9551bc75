import { randomUUID } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from '@sinclair/typebox';
import type { Catalog } from '../catalog/catalog.ts';
import { apiVersion, type ClaimTemplate } from '../catalog/claim-template.ts';
import { TemplateParams, templateNotFound } from '../catalog/claim-templates.ts';
import type { Metrics } from '../http/metrics.ts';
import { Problem } from '../http/problem.ts';
import type { Json } from '../modules/module.ts';
import type { Desk } from './desk.ts';
import { dryRunReport } from './dry-run-report.ts';

export interface OrdersOptions {
  catalog: Catalog;
  desk: Desk;
  metrics: Pick<Metrics, 'orders' | 'renderDuration'>;
  clock: () => number;
  errorShape: 'structured' | 'simple';
}

const JsonValue = Type.Unsafe<Json>({ description: 'Any JSON value.' });

const OrderRequest = Type.Object(
  {
    parameters: Type.Optional(Type.Record(Type.String(), JsonValue, { description: 'Parameter name to value.' })),
    dryRun: Type.Optional(Type.Boolean({ description: 'Validates only. Default false.' })),
  },
  { additionalProperties: false },
);

/** Both shapes of the specification at once, so that a client of either finds its fields. */
const OrderResponse = Type.Object({
  apiVersion: Type.Literal(apiVersion),
  kind: Type.Literal('OrderResponse'),
  metadata: Type.Object({
    name: Type.String({ description: '<template>-order-<milliseconds since the epoch>' }),
    timestamp: Type.String({ description: 'ISO 8601.' }),
    orderId: Type.String({ description: 'UUID.' }),
    template: Type.String(),
    createdAt: Type.String({ description: 'ISO 8601.' }),
    digest: Type.Optional(Type.String({ description: 'Digest of the module that rendered the claim.' })),
  }),
  status: Type.Literal('success'),
  parameters: Type.Record(Type.String(), JsonValue, { description: 'The values used, defaults included.' }),
  rendered: Type.String({ description: 'The claim as YAML, or the report of a dry run.' }),
  output: Type.String({ description: 'The same text.' }),
});

/** `POST /api/v1/claim-templates/{name}/order`; specification "Order request" and "Order response". */
export const orders: FastifyPluginAsyncTypebox<OrdersOptions> = async (app, options) => {
  const { catalog, desk, metrics, clock, errorShape } = options;
  const schema = {
    summary: 'Order a claim',
    tags: ['claims'],
    params: TemplateParams,
    body: OrderRequest,
    response: { 200: OrderResponse },
  };

  app.post('/api/v1/claim-templates/:name/order', { schema }, async (request) => {
    const template = catalog.get(request.params.name);
    if (template === undefined) throw templateNotFound(request.params.name, errorShape);
    try {
      const answer = await order(template, request.body);
      const { orderId, digest } = answer.metadata;
      if (digest !== undefined)
        request.log.info({ template: template.metadata.name, orderId, digest }, 'claim rendered');
      return answer;
    } catch (error) {
      const invalid = error instanceof Problem && error.statusCode < 500;
      metrics.orders.inc({ template: template.metadata.name, result: invalid ? 'invalid' : 'failed' });
      throw error;
    }
  });

  async function order(template: ClaimTemplate, { parameters = {}, dryRun = false }: Static<typeof OrderRequest>) {
    const { name } = template.metadata;
    const values = desk.check(template, parameters);
    if (dryRun) {
      metrics.orders.inc({ template: name, result: 'dry_run' });
      return response(name, values, { text: dryRunReport(template, values) });
    }
    const stop = metrics.renderDuration.startTimer({ template: name });
    const claim = await desk.render(template, values);
    stop();
    metrics.orders.inc({ template: name, result: 'rendered' });
    return response(name, values, claim);
  }

  function response(template: string, parameters: Record<string, Json>, claim: { text: string; digest?: string }) {
    const now = clock();
    const timestamp = new Date(now).toISOString();
    return {
      apiVersion,
      kind: 'OrderResponse',
      metadata: {
        name: `${template}-order-${now}`,
        timestamp,
        orderId: randomUUID(),
        template,
        createdAt: timestamp,
        ...(claim.digest !== undefined && { digest: claim.digest }),
      },
      status: 'success',
      parameters,
      rendered: claim.text,
      output: claim.text,
    } as const;
  }
};
