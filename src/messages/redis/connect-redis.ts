import type { EventEmitter } from 'node:events';
import type { ConnectionOptions } from 'node:tls';
import type { FastifyBaseLogger } from 'fastify';
import { Cluster, Redis } from 'ioredis';
import { reasonOf } from '../../reason-of.ts';
import { watchFailovers } from './failover-watch.ts';
import { OutageLog } from './outage-log.ts';
import { type BackOff, backOff, clusterOptions, connectionOptions, serverOptions } from './redis-options.ts';
import type { RedisTarget } from './redis-target.ts';
import { tlsOptions, tlsOptionsFor } from './redis-tls.ts';

export type RedisClient = Redis | Cluster;

export interface ConnectOptions {
  /** Longest wait for a connection, in milliseconds. A server that is silent for twice as long is left. */
  timeoutMs: number;
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  /** What the connection is for; in the log, and in the server's list of clients. */
  name: string;
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
  const pause = backOff(options.random ?? Math.random);
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
function lasting<T extends RedisClient>(client: T, { name, log }: ConnectOptions, ended = () => {}): T {
  reportOutages(client, new OutageLog(name, log));
  const disconnect = client.disconnect.bind(client);
  client.disconnect = (reconnect = false) => {
    if (!reconnect) ended();
    if (!reconnect || client.status === 'ready' || client.status === 'connect') disconnect(reconnect);
  };
  client.once('end', ended);
  return client;
}

/** Errors of ioredis have the command with all arguments in them, also a password: only their messages are told. */
function reportOutages(client: EventEmitter, outages: OutageLog): void {
  client.on('error', (error: unknown) => {
    if (!isConsequence(error)) outages.failed(reasonOf(error));
  });
  client.on('node error', (error: unknown, node: unknown) => outages.failed(`${node}: ${reasonOf(error)}`));
  client.on('sentinelError', (error: unknown) => outages.failed(reasonOf(error)));
  client.on('reconnecting', () => outages.retrying());
  client.on('ready', () => outages.over());
}

/** Whether the reason is told by another event; that no sentinel is left to ask is also said when none was asked. */
function isConsequence(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'MaxRetriesPerRequestError' || error.message.startsWith('All sentinels are unreachable.');
}
