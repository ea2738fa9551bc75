// The images that are loaded into the cluster, as values of the chart.
import { image, redisImage } from './settings.mjs';

/** By the path of the value. */
export function imageValues() {
  const values = { 'image.registry': '', 'image.repository': image.repository, 'image.tag': image.tag };
  if (!redisImage) return values;
  // A name without a dot or colon before its first slash has no registry.
  const [, registry = '', repository, tag] = /^(?:([^/]*[.:][^/]*)\/)?(.+):([^:/]+)$/.exec(redisImage) ?? [];
  if (tag === undefined) {
    console.error(`REDIS_IMAGE: ${redisImage} has no tag`);
    process.exit(1);
  }
  return {
    ...values,
    'redis.image.registry': registry,
    'redis.image.repository': repository,
    'redis.image.tag': tag,
  };
}
