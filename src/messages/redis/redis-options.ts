import type { ClusterOptions, RedisOptions } from 'ioredis';
import { type BackOff, backOff } from '../../back-off.ts';

/** Pauses between two attempts to connect, in milliseconds. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;
/** How long the other end may take to close a connection that was ended here, in milliseconds. */
const CLOSE_MS = 250;
/** Shortest silence after which a server counts as gone, in milliseconds: it may be busy for a moment. */
const MIN_SILENCE_MS = 1000;
const KEEP_ALIVE_MS = 10_000;
const SLOTS_REFRESH_MS = 10_000;
const MAX_REDIRECTIONS = 8;

export function reconnectPause(random: () => number): BackOff {
  return backOff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS, random);
}

/** What holds for every connection: none waits without limit, and none sends again what was sent by one before it. */
export function connectionOptions(name: string, timeoutMs: number) {
  return {
    connectionName: `frontdesk:${name}`,
    disableClientInfo: true,
    // What search modules answer depends on the protocol; every server knows this one.
    protocol: 2,
    connectTimeout: timeoutMs,
    disconnectTimeout: CLOSE_MS,
    // Beside commands this bounds the greeting, for whose answer ioredis would wait without end.
    socketTimeout: Math.max(2 * timeoutMs, MIN_SILENCE_MS),
    maxLoadingRetryTime: LONGEST_PAUSE_MS,
    keepAlive: KEEP_ALIVE_MS,
    noDelay: true,
    enableReadyCheck: true,
    autoResendUnfulfilledCommands: false,
    // Unanswered commands reject when the connection goes, not when the next one is there.
    maxRetriesPerRequest: 0,
    // A master that is one no more is left. `true`, unlike 2, does not send the command again.
    reconnectOnError: ({ message }) => /^(ERR Error running script .*-)?READONLY /.test(message),
  } satisfies RedisOptions;
}

/** For a client of one server at a time, which nobody else replaces. */
export function serverOptions(pause: BackOff) {
  return { enableOfflineQueue: false, retryStrategy: pause } satisfies RedisOptions;
}

export function clusterOptions(pause: BackOff, timeoutMs: number) {
  return {
    enableOfflineQueue: false,
    clusterRetryStrategy: pause,
    // What is answered by MOVED, ASK or TRYAGAIN was not done, and is sent again. What was lost with a connection is not.
    maxRedirections: MAX_REDIRECTIONS,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    slotsRefreshTimeout: timeoutMs,
    slotsRefreshInterval: SLOTS_REFRESH_MS,
    // Names stay names: certificates are made out to them, and looking them up has the time limit of connecting.
    dnsLookup: (host, found) => found(null, host),
  } satisfies ClusterOptions;
}
