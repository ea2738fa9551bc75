import type { ClusterOptions, RedisOptions } from 'ioredis';

/** Longest pause between two attempts to connect, in milliseconds. */
const MAX_PAUSE_MS = 1000;
/** How long the other end may take to close a connection that was ended here, in milliseconds. */
const CLOSE_MS = 250;
/** Shortest silence after which a server counts as gone, in milliseconds: it may be busy for a moment. */
const MIN_SILENCE_MS = 1000;
const KEEP_ALIVE_MS = 10_000;
const SLOTS_REFRESH_MS = 10_000;
const MAX_REDIRECTIONS = 8;

/** Gives the pause before an attempt, the first being 1, in milliseconds. */
export type BackOff = (attempt: number) => number;

/** Doubles from attempt to attempt up to the longest pause; each is by chance between that and half of it. */
export function backOff(random: () => number): BackOff {
  return (attempt) => Math.round(Math.min(50 * 2 ** (attempt - 1), MAX_PAUSE_MS) * (0.5 + random() / 2));
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
    maxLoadingRetryTime: MAX_PAUSE_MS,
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
