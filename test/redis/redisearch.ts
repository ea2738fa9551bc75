import { existsSync } from 'node:fs';
import { redisearchFile } from '../../hack/redisearch-file.mjs';

/** The RediSearch module, a value of `loadmodule`; undefined where it is not installed. */
export const redisearch = existsSync(redisearchFile) ? redisearchFile : undefined;
