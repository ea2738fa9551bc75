import type { Acknowledgement } from './acknowledgement.ts';
import { followMove } from './append-batch.ts';
import type { RedisClient } from './connect-redis.ts';
import type { RedisKeys } from './redis-keys.ts';

const PROBE_TTL_MS = 1000;

/**
 * Writes something short-lived the way messages are written.
 * @throws why messages cannot be: the server is a replica, is out of memory, has something else by the name of the stream…
 */
export async function writeProbe(
  client: RedisClient,
  acknowledgement: Acknowledgement,
  keys: RedisKeys,
): Promise<void> {
  const batch = client.pipeline().set(keys.probe, '1', 'PX', PROBE_TTL_MS).xlen(keys.stream);
  acknowledgement.await(batch);
  const answers = (await batch.exec()) ?? [];
  followMove(client, answers);
  for (const [error] of answers) if (error) throw error;
  const shortfall = acknowledgement.shortfall(answers[2]?.[1]);
  if (shortfall !== undefined) throw new Error(shortfall);
}
