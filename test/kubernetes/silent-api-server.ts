import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KubeConfig } from '@kubernetes/client-node';
import type { Test } from 'tap';

/** How long the first request may take to come, in milliseconds. */
const ASKED_MS = 30_000;

/** What takes requests and never answers, as an API server does that hangs; `asked` resolves at the first request. */
export async function silentApiServer(
  t: Pick<Test, 'teardown'>,
): Promise<{ config: KubeConfig; asked: Promise<unknown> }> {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const config = new KubeConfig();
  config.loadFromClusterAndUser(
    { name: 'silent', server: `http://127.0.0.1:${port}`, skipTLSVerify: true },
    { name: 'anyone' },
  );
  return { config, asked: once(server, 'request', { signal: AbortSignal.timeout(ASKED_MS) }) };
}
