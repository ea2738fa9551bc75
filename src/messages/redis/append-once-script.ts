/**
 * Appends an entry unless its idempotency key is known, in one atomic step.
 *
 * KEYS: stream, idempotency key. ARGV: now, expires, time to live (all in milliseconds), entry id (`*`, or `<ms>-*`), then
 * fields and values. Returns the entry id, and 1 if the entry was there before.
 *
 * The expiry is kept beside the id, since it is the caller's clock that counts; the key's own is to clean up.
 * What is known is touched: servers make a connection wait for replicas and disks only as far as it wrote itself.
 *
 * The key is set before the entry is appended, under the id that this is about to have. A Redis (up to 8.2 at least) that
 * was killed while it wrote both to its append-only file drops them when it starts, and at the start after that brings
 * back the first part: a key without its entry has been overwritten by the retry then, an entry would stand there twice.
 */
export const appendOnceScript = `
local stream, key = KEYS[1], KEYS[2]
local known = redis.call('GET', key)
if known then
  local id, expires = known:match('^(%S+) (%d+)$')
  if id and tonumber(expires) > tonumber(ARGV[1]) then
    redis.call('PEXPIRE', key, redis.call('PTTL', key))
    return {id, 1}
  end
end

-- Later than any entry there is, as the server makes less than one in a microsecond; unless somebody gave one its id.
local now = redis.call('TIME')
local ms = ARGV[4]:match('^%d+') or string.format('%d', now[1] * 1000 + math.floor(now[2] / 1000))
local id = ms .. '-' .. string.format('%d', now[2] % 1000)
redis.call('SET', key, id .. ' ' .. ARGV[2], 'PX', ARGV[3])
local added = redis.pcall('XADD', stream, id, unpack(ARGV, 5))
if type(added) == 'table' then added = redis.pcall('XADD', stream, ARGV[4], unpack(ARGV, 5)) end
if type(added) == 'table' then
  redis.call('DEL', key)
  return added
end
if added ~= id then redis.call('SET', key, added .. ' ' .. ARGV[2], 'PX', ARGV[3]) end
return {added, 0}
`;
