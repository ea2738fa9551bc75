import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { Test } from 'tap';
import {
  type ConnectOptions,
  connectRedis,
  isConnected,
  type RedisClient,
} from '../../../src/messages/redis/connect-redis.ts';
import type { RedisTarget } from '../../../src/messages/redis/redis-target.ts';
import { until } from '../../programs/until.ts';

/** What clients are told, in milliseconds; short, so that tests are. */
const TIMEOUT_MS = 200;
/** How long anything may take that a test waits for, in milliseconds. */
const LIMIT_MS = 15_000;

type Standalone = Partial<Extract<RedisTarget, { kind: 'standalone' }>>;

/** A client, ended with the test; what the log says of it, and the pauses before its attempts to connect again. */
export function connect(
  t: Test,
  { host, port }: { host: string; port: number },
  { random, ...access }: Standalone & Pick<ConnectOptions, 'random'> = {},
) {
  const reasons: string[] = [];
  const pauses: unknown[] = [];
  let recoveries = 0;
  const log: ConnectOptions['log'] = {
    info: () => {
      recoveries += 1;
    },
    warn: ({ reason }: { reason: string }) => reasons.push(reason),
  };
  const options = { timeoutMs: TIMEOUT_MS, log, name: 'test', ...(random && { random }) };
  const client = connectRedis({ kind: 'standalone', host, port, db: 0, ...access }, options);
  client.on('reconnecting', (pause: unknown) => pauses.push(pause));
  t.teardown(() => client.disconnect());
  return { client, reasons: () => reasons, recoveries: () => recoveries, pauses: () => pauses };
}

/** Waits until commands can be sent. */
export async function connected(client: RedisClient): Promise<void> {
  await soon(() => isConnected(client), `a connection, not one that is ${client.status}`);
}

/** A server that takes connections, and says `answer` to whatever comes, or nothing. */
export async function startSilent(t: Test, answer?: string) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    socket.on('data', () => answer && socket.write(answer));
  });
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { host: address.address, port: address.port, connections: () => sockets.length };
}

/** Waits until `condition` holds. */
export function soon(condition: () => boolean, what: string): Promise<void> {
  return until(condition, LIMIT_MS, () => new Error(`there was never ${what}`));
}
