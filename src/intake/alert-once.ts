import { hash } from 'node:crypto';
import type { NewMessage } from '../messages/message-store.ts';
import { alertStatus } from './alert-severity.ts';
import { at, isJsonObject, type JsonObject, text } from './json-object.ts';

/**
 * What makes the store take an alert once within `ttlMs`: the same fingerprint, start and status are the same alert.
 * Alertmanager sends all three unchanged when it repeats itself. Hashed, so that no sender can make the key long.
 */
export function alertOnce(
  alert: JsonObject,
  groupStatus: string | undefined,
  ttlMs: number,
): Required<NewMessage>['once'] {
  const identity = text(alert.fingerprint) ?? sortedLabels(alert);
  const status = alertStatus(text(alert.status), groupStatus);
  const parts = JSON.stringify([identity, text(alert.startsAt) ?? '', status]);
  return { key: `alerting:${hash('sha256', parts)}`, ttlMs };
}

/** Stands in for the fingerprint, which senders make of the labels as well. */
function sortedLabels(alert: JsonObject): unknown[] {
  const labels = at(alert, 'labels');
  if (!isJsonObject(labels)) return [];
  return Object.keys(labels)
    .sort()
    .map((key) => [key, labels[key]]);
}
