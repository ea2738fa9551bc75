import type { Severity } from '../messages/message.ts';

/** What senders write into the label `severity`, and what it means here. */
const severityByLabel: ReadonlyMap<string, Severity> = new Map([
  ['critical', 'critical'],
  ['page', 'critical'],
  ['high', 'critical'],
  ['error', 'error'],
  ['warning', 'warning'],
  ['warn', 'warning'],
  ['medium', 'warning'],
  ['info', 'info'],
  ['low', 'info'],
  ['none', 'info'],
]);

/** Whether the alert is over. Anything but `resolved` counts as firing: an alert is not to be overlooked. */
export type AlertStatus = 'firing' | 'resolved';

/** An alert's own status, else that of its group. */
export function alertStatus(own: string | undefined, group: string | undefined): AlertStatus {
  return (own ?? group)?.trim().toLowerCase() === 'resolved' ? 'resolved' : 'firing';
}

/** Specification "POST /pitch/alerting": label and status combined. A firing alert without a known label is a warning. */
export function alertSeverity(status: AlertStatus, label: string | undefined): Severity {
  if (status === 'resolved') return 'success';
  return severityByLabel.get((label ?? '').trim().toLowerCase()) ?? 'warning';
}
