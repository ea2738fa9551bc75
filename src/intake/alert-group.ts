import { Problem } from '../http/problem.ts';
import { isJsonObject, text } from './json-object.ts';

/** Alerts in one payload. Alertmanager and Grafana group by the tens; more than this is no notification. */
export const MAX_ALERTS = 10_000;

/** One payload of an alert source. */
export interface AlertGroup {
  receiver: string | undefined;
  status: string | undefined;
  alerts: readonly unknown[];
}

/**
 * Reads a contact-point payload: the object `{receiver, status, alerts}` of Grafana and Alertmanager, or a bare array.
 * @throws {Problem} `INVALID_BODY` that names `alerts`.
 */
export function parseAlertGroup(body: unknown): AlertGroup {
  if (Array.isArray(body)) return { receiver: undefined, status: undefined, alerts: bounded(body) };
  if (!isJsonObject(body)) throw invalid('body must be an array of alerts, or an object with the array alerts');
  const { receiver, status, alerts } = body;
  if (alerts === undefined) throw invalid('alerts is required');
  if (!Array.isArray(alerts)) throw invalid('alerts must be an array');
  return { receiver: text(receiver), status: text(status), alerts: bounded(alerts) };
}

function bounded(alerts: readonly unknown[]): readonly unknown[] {
  if (alerts.length > MAX_ALERTS) throw invalid(`alerts must not have more than ${MAX_ALERTS} items`);
  return alerts;
}

function invalid(problem: string): Problem {
  return new Problem('INVALID_BODY', { message: `invalid request body: ${problem}` });
}
