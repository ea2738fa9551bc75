import type { Acknowledgement } from './acknowledgement.ts';
import { followMove } from './append.ts';
import type { RedisClient } from './connect-redis.ts';
import type { RedisKeys } from './redis-keys.ts';

const PROBE_TTL_MS = 1000;

/**
 * Writes twice, which servers record as one transaction. A Redis (up to 8.2 at least) that was killed while it wrote a
 * transaction to its append-only file goes on after the half of it, and drops all that follows when it starts once more,
 * unless another transaction has ended by then.
 */
const probeScript = `
redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])
return redis.call('SET', KEYS[1], '2', 'PX', ARGV[1])
`;

/**
 * Writes something short-lived the way messages are written. To be done before the first message.
 * @throws why messages cannot be: the server is a replica, is out of memory, has something else by the name of the stream…
 */
export async function writeProbe(
  client: RedisClient,
  acknowledgement: Acknowledgement,
  keys: RedisKeys,
): Promise<void> {
  const batch = client.pipeline().eval(probeScript, 1, keys.probe, PROBE_TTL_MS).xlen(keys.stream);
  acknowledgement.await(batch);
  const answers = (await batch.exec()) ?? [];
  followMove(client, answers);
  for (const [error] of answers) if (error) throw error;
  const shortfall = acknowledgement.shortfall(answers[2]?.[1]);
  if (shortfall !== undefined) throw new Error(shortfall);
}
