import { namespace } from '../../hack/kind/settings.mjs';
import { kubectl } from './run.ts';

/** Entries that are asked for at once. */
const PAGE = 2000;
const page = `
  local ids = {}
  for _, entry in ipairs(redis.call('XRANGE', KEYS[1], ARGV[1], '+', 'COUNT', ${PAGE})) do ids[#ids + 1] = entry[1] end
  return ids
`;

/** What redis-cli prints in the Redis pod of the release. */
export const redisCli = (...args: string[]): Promise<string> =>
  kubectl('--namespace', namespace, 'exec', 'frontdesk-redis-0', '--container=redis', '--', 'redis-cli', '-e', ...args);

/** Which of these ids the stream does not have. */
export async function missingFromStream(acknowledged: readonly string[]): Promise<string[]> {
  const missing = new Set(acknowledged);
  // Milliseconds alone are the first id of that millisecond.
  let from = acknowledged.map((id) => id.replace(/-.*/, '')).sort((a, b) => Number(a) - Number(b))[0] ?? '-';
  while (missing.size > 0) {
    const ids = (await redisCli('EVAL', page, '1', 'messages', from)).split('\n');
    for (const id of ids) missing.delete(id);
    if (ids.length < PAGE) break;
    from = `(${ids.at(-1)}`;
  }
  return [...missing];
}
