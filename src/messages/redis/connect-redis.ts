import type { EventEmitter } from 'node:events';
import type { ConnectionOptions } from 'node:tls';
import type { FastifyBaseLogger } from 'fastify';
import { Cluster, Redis } from 'ioredis';
import type { BackOff } from '../../back-off.ts';
import { hasCode } from '../../has-code.ts';
import { connectionProblem } from './connection-problem.ts';
import { watchFailovers } from './failover-watch.ts';
import { OutageLog } from './outage-log.ts';
import { clusterOptions, connectionOptions, reconnectPause, serverOptions } from './redis-options.ts';
import type { RedisTarget } from './redis-target.ts';
import { tlsOptions, tlsOptionsFor } from './redis-tls.ts';

export type RedisClient = Redis | Cluster;

export interface ConnectOptions {
  /** Longest wait for a connection, in milliseconds. A server that is silent for twice as long is left. */
  timeoutMs: number;
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  /** What the connection is for; in the log, and in the server's list of clients. */
  name: string;
  /** Told why an attempt to connect failed. */
  failed?: (reason: string) => void;
  /** From 0 up to, without, 1; spreads the retries of many processes. */
  random?: () => number;
}

/**
 * A client of `target`, which connects in the background, and again for ever until it is told to `disconnect()`.
 *
 * No command is sent twice, and none waits for a connection: it rejects at once while there is none (`status` is not
 * `ready`), and when the connection goes before the answer came. Then its outcome is unknown.
 * @throws naming STREAM_TLS_CA, where its file has no certificate.
 */
export function connectRedis(target: RedisTarget, options: ConnectOptions): RedisClient {
  const tls = target.tls && tlsOptions(target.tls);
  const pause = reconnectPause(options.random ?? Math.random);
  if (target.kind === 'sentinel') return connectBySentinel(target, options, pause, tls);

  const shared = { ...connectionOptions(options.name, options.timeoutMs), ...credentials(target), ...(tls && { tls }) };
  if (target.kind === 'standalone') {
    const { host, port, db } = target;
    const ofHost = { host, port, db, ...(tls && { tls: tlsOptionsFor(host, tls) }) };
    return lasting(new Redis({ ...shared, ...serverOptions(pause), ...ofHost }), options);
  }
  const nodes = target.nodes.map((node) => ({ ...node, ...(tls && { tls: tlsOptionsFor(node.host, tls) }) }));
  return lasting(new Cluster(nodes, { ...clusterOptions(pause, options.timeoutMs), redisOptions: shared }), options);
}

/** Whether commands can be sent: not to a connection that is being left either. */
export function isConnected(client: RedisClient): boolean {
  return client.status === 'ready' && (client instanceof Cluster || client.stream.writable);
}

function connectBySentinel(
  target: Extract<RedisTarget, { kind: 'sentinel' }>,
  options: ConnectOptions,
  pause: BackOff,
  tls: ConnectionOptions | undefined,
): Redis {
  const { sentinels, name, db, sentinelPassword } = target;
  const { timeoutMs } = options;
  const shared = { ...connectionOptions(options.name, timeoutMs), ...serverOptions(pause), ...(tls && { tls }) };
  const client = new Redis({
    ...{ ...shared, ...credentials(target), sentinels, name, db },
    // Those of the configuration only: what sentinels tell of each other grows stale, and may match no certificate.
    updateSentinels: false,
    sentinelRetryStrategy: pause,
    sentinelCommandTimeout: timeoutMs,
    ...(sentinelPassword !== undefined && { sentinelPassword }),
    ...(tls && { enableTLSForSentinelMode: true, sentinelTLS: tls }),
  });
  const ofSentinel = { ...shared, ...(sentinelPassword !== undefined && { password: sentinelPassword }) };
  return lasting(client, options, watchFailovers(client, name, sentinels, ofSentinel));
}

function credentials({ username, password }: RedisTarget) {
  return {
    ...(username !== undefined && { username, password: '' }),
    ...(password !== undefined && { password }),
  };
}

/**
 * Makes the log tell of outages of `client`, and `disconnect(true)` never the end of it, as which ioredis takes it while it
 * connects; then there is nothing to leave yet.
 * @param ended called when the client is told to end
 */
function lasting<T extends RedisClient>(client: T, options: ConnectOptions, ended = () => {}): T {
  reportOutages(client, options);
  const disconnect = client.disconnect.bind(client);
  client.disconnect = (reconnect = false) => {
    if (!reconnect) ended();
    if (!reconnect || client.status === 'ready' || client.status === 'connect') disconnect(reconnect);
  };
  client.once('end', ended);
  return client;
}

function reportOutages(client: RedisClient, { name, log, failed: tell }: ConnectOptions): void {
  const outages = new OutageLog(name, log);
  const failed = (reason: string) => {
    outages.failed(reason);
    tell?.(reason);
  };
  const emitter: EventEmitter = client;
  emitter.on('error', (error: unknown) => {
    // That a server hung up is no news after it said why.
    if (isConsequence(error) || (isReset(error) && outages.isExplained)) return;
    failed(connectionProblem(error) + tlsHint(client, error));
  });
  emitter.on('node error', (error: unknown, node: unknown) => failed(`${node}: ${connectionProblem(error)}`));
  emitter.on('sentinelError', (error: unknown) => failed(connectionProblem(error)));
  emitter.on('reconnecting', () => outages.retrying());
  emitter.on('ready', () => outages.over());
  if (client instanceof Redis) client.on('connect', () => void tellLoading(client, failed));
}

/** A server with TLS resets connections without it; one without is silent when it is greeted by TLS. */
function tlsHint(client: RedisClient, error: unknown): string {
  if (client instanceof Cluster) return '';
  if (client.options.tls) return hasCode(error, 'ETIMEDOUT') ? ', the server may not speak TLS' : '';
  return isReset(error) && client.status === 'connect' ? ', the server may speak TLS only' : '';
}

const isReset = (error: unknown) => hasCode(error, 'ECONNRESET', 'EPIPE');

/** While a server loads its data ioredis waits for it without a word. */
async function tellLoading(client: Redis, failed: (reason: string) => void): Promise<void> {
  // Where this fails, so does the greeting, and tells why.
  const info = await client.info('persistence').catch(() => '');
  if (/^loading:1/m.test(info)) failed('LOADING Redis is loading its data');
}

/** Whether the reason is told by another event; that no sentinel is left to ask is also said when none was asked. */
function isConsequence(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'MaxRetriesPerRequestError' || error.message.startsWith('All sentinels are unreachable.');
}
