import { namespace, port } from '../../hack/kind/settings.mjs';
import { kubectl } from './run.ts';

const LIMIT_MS = 15_000;

/** Where the Service is reached from outside of the cluster. */
export const url = `http://127.0.0.1:${port}`;

export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** One request on a connection of its own, so that it reaches any of the pods. */
export async function ask(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(url + path, {
    headers: { connection: 'close', ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Header of those who have the token of the release. */
export async function authorization(): Promise<{ authorization: string }> {
  return { authorization: `Bearer ${await secret('auth-token')}` };
}

/** What the Secret of the release has under this key. */
export async function secret(key: string): Promise<string> {
  const value = `go-template={{index .data "${key}" | base64decode}}`;
  return kubectl('--namespace', namespace, 'get', 'secret', 'frontdesk', '--output', value);
}
