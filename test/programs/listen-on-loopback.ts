import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Test } from 'tap';

/** Has a server listen on a free port of loopback until the test ends; gives `127.0.0.1:PORT`. */
export async function listenOnLoopback(t: Pick<Test, 'teardown'>, server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP port');
  return `127.0.0.1:${address.port}`;
}
