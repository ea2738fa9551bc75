import { type ServerProcess, startServer } from '../server-process.ts';

export const floors = ['fastify', 'node-http'] as const;

/** Starts a floor that answers every request with the content of the file `answer`. */
export function startFloor(
  floor: (typeof floors)[number],
  { answer, as }: { answer: string; as: 'object' | 'bytes' },
): Promise<ServerProcess> {
  return startServer({ entry: `bench/floors/${floor}.ts`, env: { ANSWER: answer, ANSWER_AS: as } });
}

/** Starts the floor of rows on Redis, with the Redis on `port`. */
export function startRedisFloor(port: number): Promise<ServerProcess> {
  return startServer({ entry: 'bench/floors/fastify-redis.ts', env: { REDIS_PORT: String(port) } });
}
