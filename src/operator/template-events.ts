import { randomUUID } from 'node:crypto';
import { EventsV1Api, type KubeConfig, V1MicroTime } from '@kubernetes/client-node';
import type { FastifyBaseLogger } from 'fastify';
import { apiVersion } from '../catalog/claim-template.ts';
import { apiCall } from '../kubernetes/api-call.ts';
import { apiReason } from '../kubernetes/api-error.ts';
import type { Connections } from '../kubernetes/connections.ts';
import type { ObservedTemplate } from './observed-template.ts';
import type { Term } from './term.ts';
import type { Transition } from './transition.ts';

const CONTROLLER = 'frontdesk.dev/operator';
/** Longest name of an instance that the API server takes. */
const MAX_INSTANCE_LENGTH = 128;
/** How long one event may take, in milliseconds. */
const EVENT_LIMIT_MS = 5_000;

export interface TemplateEventsOptions {
  config: KubeConfig;
  identity: string;
  term: Term;
  connections: Connections;
  clock: () => number;
  log: Pick<FastifyBaseLogger, 'warn'>;
}

/** Tells transitions as Kubernetes Events, which `kubectl describe` shows. An event that fails is logged and lost. */
export class TemplateEvents {
  readonly #options: TemplateEventsOptions;
  readonly #api: EventsV1Api;

  constructor(options: TemplateEventsOptions) {
    this.#options = options;
    this.#api = options.config.makeApiClient(EventsV1Api);
  }

  async tell(template: ObservedTemplate, transition: Transition): Promise<void> {
    const { identity, term, connections, clock, log } = this.#options;
    const { namespace, name, uid } = template;
    const body = {
      metadata: { namespace, name: `${name}.${randomUUID()}` },
      eventTime: new V1MicroTime(clock()),
      reportingController: CONTROLLER,
      reportingInstance: identity.slice(0, MAX_INSTANCE_LENGTH),
      action: 'UpdateStatus',
      type: transition.type,
      reason: transition.reason,
      note: transition.message,
      regarding: { apiVersion, kind: 'ClaimTemplate', namespace, name, uid },
    };
    const limits = { limitMs: EVENT_LIMIT_MS, signal: term.signal, connections, beforeSend: () => term.assertHeld() };
    try {
      await this.#api.createNamespacedEvent({ namespace, body }, apiCall(limits));
    } catch (error) {
      log.warn({ template: `${namespace}/${name}`, reason: apiReason(error) }, 'an event could not be written');
    }
  }
}
