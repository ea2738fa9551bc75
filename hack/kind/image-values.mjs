// The images that are loaded into the cluster, as values of the chart.
import { image, redisImage } from './settings.mjs';

/** By the path of the value. */
export function imageValues() {
  const values = { 'image.registry': '', 'image.repository': image.repository, 'image.tag': image.tag };
  if (!redisImage) return values;
  const parts = Object.entries(partsOf(redisImage));
  return { ...values, ...Object.fromEntries(parts.map(([name, value]) => [`redis.image.${name}`, value])) };
}

/**
 * `registry/repository:tag` in its parts. What is before the first slash is a registry if it has a dot or a colon, or is
 * localhost, as for Docker. Throws without a tag: `latest` would be pulled, whatever is loaded.
 */
export function partsOf(name) {
  const [, registry = '', repository, tag] = /^(?:(localhost|[^/]*[.:][^/]*)\/)?([^:]+):([^:/]+)$/.exec(name) ?? [];
  if (tag === undefined) throw new Error(`${name} is no image with a tag`);
  return { registry, repository, tag };
}
