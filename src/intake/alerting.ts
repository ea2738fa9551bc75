import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import type { onRequestHookHandler } from 'fastify';
import type { MessageStore } from '../messages/message-store.ts';
import { MAX_ALERTS, parseAlertGroup } from './alert-group.ts';
import { refusals } from './answers.ts';
import { EnqueuedAlert, enqueueAlerts } from './enqueue-alerts.ts';
import { retryAfter } from './retry-after.ts';

export interface AlertingOptions {
  store: MessageStore;
  clock: () => number;
  /** Guards the route; throws what the caller is to be told. */
  authenticate: onRequestHookHandler;
  /** For how long the same alert counts as one, in milliseconds; 0 enqueues each. */
  alertDedupMs: number;
}

const Alerts = Type.Array(Type.Unknown(), { maxItems: MAX_ALERTS });

const schema = {
  summary: 'Enqueue the alerts of a webhook',
  description: 'Takes the contact-point payload of Grafana and Alertmanager. Each alert becomes one message.',
  tags: ['intake'],
  security: [{ bearer: [] }],
  body: Type.Unsafe<unknown>(
    Type.Union([
      Type.Object({
        receiver: Type.Optional(Type.Unknown({ description: 'Name of the contact point. No string counts as none.' })),
        status: Type.Optional(Type.Unknown({ description: '`firing` or `resolved`, for alerts that do not say.' })),
        alerts: Alerts,
      }),
      Alerts,
    ]),
  ),
  response: {
    ...refusals,
    200: Type.Object({
      status: Type.Literal('success'),
      message: Type.String({ description: '`<enqueued> of <total> alerts enqueued`' }),
      results: Type.Array(EnqueuedAlert),
      errors: Type.Array(Type.String({ description: '`alert <id>: <reason>`' })),
    }),
    503: Type.Object({ status: Type.Literal('error'), message: Type.String(), errors: Type.Array(Type.String()) }),
  },
};

/** `POST /pitch/alerting`: takes an alert source's webhook. Specification "POST /pitch/alerting". */
export const alerting: FastifyPluginAsyncTypebox<AlertingOptions> = async (app, options) => {
  const { store, clock, authenticate, alertDedupMs } = options;
  // The schema is for readers: only parseAlertGroup can tell which of the two forms was meant, and say what it lacks.
  const route = { schema, onRequest: authenticate, validatorCompiler: () => () => true };

  app.post('/pitch/alerting', route, async (request, reply) => {
    const group = parseAlertGroup(request.body);
    const { results, errors } = await enqueueAlerts(group, { store, alertDedupMs, now: clock() });
    if (errors.length > 0 && results.length === 0) {
      return reply
        .code(503)
        .headers(retryAfter)
        .send({ status: 'error', message: 'Failed to enqueue all alerts', errors });
    }
    const message = `${results.length} of ${group.alerts.length} alerts enqueued`;
    return reply.send({ status: 'success', message, results, errors });
  });
};
