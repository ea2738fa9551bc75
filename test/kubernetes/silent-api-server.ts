import { once } from 'node:events';
import { createServer } from 'node:http';
import { KubeConfig } from '@kubernetes/client-node';
import type { Test } from 'tap';
import { listenOnLoopback } from '../programs/listen-on-loopback.ts';

/** How long the first request may take to come, in milliseconds. */
const ASKED_MS = 30_000;

/** What takes requests and never answers, as an API server does that hangs; `asked` resolves at the first request. */
export async function silentApiServer(
  t: Pick<Test, 'teardown'>,
): Promise<{ config: KubeConfig; asked: Promise<unknown> }> {
  const server = createServer(() => undefined);
  const host = await listenOnLoopback(t, server);
  const config = new KubeConfig();
  config.loadFromClusterAndUser({ name: 'silent', server: `http://${host}`, skipTLSVerify: true }, { name: 'anyone' });
  return { config, asked: once(server, 'request', { signal: AbortSignal.timeout(ASKED_MS) }) };
}
