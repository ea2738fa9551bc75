/** The severities a message can have, from specification "Message record". */
export const severities = ['info', 'success', 'warning', 'error', 'critical'] as const;
export type Severity = (typeof severities)[number];

/** Which intake endpoint a message came through. */
export type Source = 'pitch' | 'alerting' | 'codehost';

/**
 * One message as it stands in the stream. Every field is a string, so that any client of the store can read it;
 * a field that its sender left out is empty.
 */
export interface Message {
  title: string;
  message: string;
  severity: Severity;
  /** ISO 8601, as the sender claims it; analytics count by the time of the stream entry instead. */
  timestamp: string;
  system: string;
  url: string;
  /** Comma-separated. */
  tags: string;
  source: Source;
  /** Label of the message: `name` of a pitch, the alert's name, the code host's event type. */
  name: string;
  repository: string;
  /** What the sender sent, whole, as JSON. */
  payload: string;
}

/** The fields of a message, in the order in which stores write them. */
export const messageFields = [
  'title',
  'message',
  'severity',
  'timestamp',
  'system',
  'url',
  'tags',
  'source',
  'name',
  'repository',
  'payload',
] as const satisfies readonly (keyof Message)[];

/** The severity that `value` names in any letter case; undefined if it names none. */
export function parseSeverity(value: unknown): Severity | undefined {
  if (typeof value !== 'string') return undefined;
  const name = value.toLowerCase();
  return severities.find((severity) => severity === name);
}
