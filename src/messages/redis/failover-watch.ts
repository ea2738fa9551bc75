import { isIP } from 'node:net';
import { Redis, type RedisOptions } from 'ioredis';
import type { Endpoint } from './redis-target.ts';

/** What a sentinel publishes when another server is master: `<name> <former host> <former port> <host> <port>`. */
const CHANNEL = '+switch-master';

/**
 * Makes `client` leave a former master as soon as a sentinel tells of a failover. One that still runs would take messages
 * for seconds more, and lose them all when it becomes a replica.
 *
 * The detector that ioredis has ends the client for good if it fires while that connects.
 * @param options of the connections to the sentinels
 * @returns what ends the watch
 */
export function watchFailovers(
  client: Redis,
  master: string,
  sentinels: readonly Endpoint[],
  options: Omit<RedisOptions, 'replyMapping'>,
): () => void {
  const subscribers = sentinels.map(({ host, port }) => {
    const subscriber = new Redis({ ...options, host, port, enableReadyCheck: false, autoResubscribe: false });
    // Where no sentinel answers `client` tells why, as soon as it matters; here the next attempt follows anyway.
    subscriber.on('error', () => undefined);
    subscriber.on('ready', () => subscriber.subscribe(CHANNEL).catch(() => subscriber.disconnect(true)));
    subscriber.on('message', (_channel, message) => {
      const [name, , , host = '', port] = message.split(' ');
      if (name === master) leaveUnlessAt(client, { host, port: Number(port) });
    });
    return subscriber;
  });
  return () => {
    for (const subscriber of subscribers) subscriber.disconnect();
  };
}

/** A client that connects may be about to reach the former master: it is looked at again when it has. */
function leaveUnlessAt(client: Redis, master: Endpoint): void {
  const leave = () => {
    if (!isAt(client, master)) client.disconnect(true);
  };
  if (client.status === 'connecting') client.once('connect', leave);
  else leave();
}

/** Sentinels may tell host names; then the port has to do. */
function isAt({ stream }: Redis, { host, port }: Endpoint): boolean {
  return stream?.remotePort === port && (isIP(host) === 0 || stream.remoteAddress === host);
}
