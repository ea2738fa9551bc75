import type { Message } from '../messages/message.ts';
import type { AlertGroup } from './alert-group.ts';
import { alertSeverity, alertStatus } from './alert-severity.ts';
import { at, isJsonObject, type JsonObject, text, textAt } from './json-object.ts';
import { systemLabel } from './system-label.ts';
import { timestampOr } from './timestamp.ts';

/** Labels with a field of their own in the message record. */
const labelsWithField: ReadonlySet<string> = new Set(['alertname', 'severity']);

/** The message that one alert of `group` stands for. Specification "POST /pitch/alerting". */
export function alertMessage(alert: JsonObject, group: Omit<AlertGroup, 'alerts'>, now: number): Message {
  const status = alertStatus(text(alert.status), group.status);
  const name = textAt(alert, 'labels', 'alertname') ?? 'Unnamed alert';
  return {
    title: name,
    message: textAt(alert, 'annotations', 'summary') ?? textAt(alert, 'annotations', 'description') ?? '',
    severity: alertSeverity(status, textAt(alert, 'labels', 'severity')),
    timestamp: timestampOr(alert.startsAt, now),
    system: systemLabel(group.receiver ?? text(alert.receiver) ?? 'alerting'),
    url: text(alert.dashboardURL) ?? text(alert.panelURL) ?? text(alert.generatorURL) ?? '',
    tags: remainingLabels(alert),
    source: 'alerting',
    name,
    repository: '',
    payload: JSON.stringify(alert),
  };
}

/** What to call an alert in an error: by what its sender would search for. */
export function alertId(alert: unknown, index: number): string {
  return textAt(alert, 'fingerprint') ?? textAt(alert, 'labels', 'alertname') ?? `#${index}`;
}

function remainingLabels(alert: JsonObject): string {
  const labels = at(alert, 'labels');
  if (!isJsonObject(labels)) return '';
  return Object.keys(labels)
    .filter((key) => !labelsWithField.has(key))
    .sort()
    .map((key) => `${key}=${typeof labels[key] === 'string' ? labels[key] : JSON.stringify(labels[key])}`)
    .join(',');
}
