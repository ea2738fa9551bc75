import { existsSync } from 'node:fs';

/** Where Debian's package redis-redisearch puts the module; as in hack/redisearch-file.mjs. */
const file = '/usr/lib/redis/modules/redisearch.so';

/** The RediSearch module, a value of `loadmodule`; undefined where it is not installed. */
export const redisearch = existsSync(file) ? file : undefined;
