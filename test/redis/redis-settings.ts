/**
 * Directives of redis.conf, their values as they stand there (`{ 'client-output-buffer-limit': 'normal 0 0 0' }`); a list
 * for one that stands there more than once.
 */
export type RedisSettings = Readonly<Record<string, string | readonly string[]>>;

/** The text of a redis.conf. */
export function configText(settings: RedisSettings): string {
  const lines = Object.entries(settings).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name} ${value === '' ? '""' : value}\n`),
  );
  return lines.join('');
}
