import { setImmediate } from 'node:timers/promises';
import { type Static, Type } from '@sinclair/typebox';
import type { MessageStore, NewMessage } from '../messages/message-store.ts';
import type { AlertGroup } from './alert-group.ts';
import { alertId, alertMessage } from './alert-message.ts';
import { alertOnce } from './alert-once.ts';
import { isJsonObject } from './json-object.ts';

/** Alerts of one append. Others are served between two of them, so that a payload of thousands holds up nobody for long. */
const MAX_APPEND = 250;

/** Specification "Enqueue result", of one alert. */
export const EnqueuedAlert = Type.Object({
  objectId: Type.String({ description: 'Stream entry id, `<milliseconds>-<sequence>`.' }),
  streamId: Type.String({ description: 'Name of the stream.' }),
  status: Type.Literal('success'),
  message: Type.String({ description: 'Names the alert.' }),
});

/** What became of the alerts of one payload, each list in their order. */
export interface AlertOutcome {
  results: Static<typeof EnqueuedAlert>[];
  /** `alert <id>: <reason>` */
  errors: string[];
}

export interface EnqueueAlertsOptions {
  store: MessageStore;
  /** For how long the same alert counts as one, in milliseconds; 0 enqueues each. */
  alertDedupMs: number;
  now: number;
}

/** Enqueues every alert of `group`; one that fails does not fail the others. */
export async function enqueueAlerts(group: AlertGroup, options: EnqueueAlertsOptions): Promise<AlertOutcome> {
  const { alerts } = group;
  const parts: Promise<AlertOutcome>[] = [];
  for (let from = 0; from < alerts.length; from += MAX_APPEND) {
    if (from > 0) await setImmediate();
    parts.push(enqueueSome({ ...group, alerts: alerts.slice(from, from + MAX_APPEND) }, from, options));
  }
  const outcomes = await Promise.all(parts);
  return { results: outcomes.flatMap(({ results }) => results), errors: outcomes.flatMap(({ errors }) => errors) };
}

/** Enqueues the alerts of `group` in one append. `from` is the place of the first in its payload. */
async function enqueueSome(group: AlertGroup, from: number, options: EnqueueAlertsOptions): Promise<AlertOutcome> {
  const { store } = options;
  const messages = group.alerts.map((alert) => toMessage(alert, group, options));
  const valid = messages.filter((message) => message !== undefined);
  const appended = (valid.length === 0 ? [] : await store.append(valid)).values();

  const outcome: AlertOutcome = { results: [], errors: [] };
  for (const [i, message] of messages.entries()) {
    const id = alertId(group.alerts[i], from + i);
    const result = message === undefined ? notAnObject : (appended.next().value ?? noAnswer);
    if (result.ok) {
      const text = `Alert ${message?.name ?? id} enqueued`;
      outcome.results.push({ objectId: result.id, streamId: store.stream, status: 'success', message: text });
    } else {
      outcome.errors.push(`alert ${id}: ${result.reason}`);
    }
  }
  return outcome;
}

const notAnObject = { ok: false, reason: 'not an object' } as const;
const noAnswer = { ok: false, reason: 'the store gave no answer' } as const;

function toMessage(alert: unknown, group: AlertGroup, options: EnqueueAlertsOptions): NewMessage | undefined {
  if (!isJsonObject(alert)) return undefined;
  const message: NewMessage = alertMessage(alert, group, options.now);
  if (options.alertDedupMs > 0) message.once = alertOnce(alert, group.status, options.alertDedupMs);
  return message;
}
