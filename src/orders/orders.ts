import { randomUUID } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from '@sinclair/typebox';
import type { Catalog } from '../catalog/catalog.ts';
import { apiVersion, type ClaimTemplate } from '../catalog/claim-template.ts';
import { TemplateParams, templateNotFound } from '../catalog/claim-templates.ts';
import type { Metrics } from '../http/metrics.ts';
import { Problem } from '../http/problem.ts';
import type { Json } from '../modules/module.ts';
import type { Desk } from './desk.ts';
import { dryRunReport } from './dry-run-report.ts';
import { OrderRequest, OrderResponse } from './order-documents.ts';

export interface OrdersOptions {
  catalog: Catalog;
  desk: Desk;
  metrics: Pick<Metrics, 'orders' | 'renderDuration'>;
  clock: () => number;
  errorShape: 'structured' | 'simple';
}

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
