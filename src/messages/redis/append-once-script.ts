/**
 * Appends an entry unless its idempotency key is known, in one atomic step.
 *
 * KEYS: stream, idempotency key. ARGV: now, expires, time to live (all in milliseconds), most entries, entry id, then
 * fields and values. Returns the entry id, and 1 if the entry was there before.
 *
 * The expiry is kept beside the id, since it is the caller's clock that counts; the key's own is to clean up.
 * What is known is touched: servers make a connection wait for replicas and disks only as far as it wrote itself.
 */
export const appendOnceScript = `
local known = redis.call('GET', KEYS[2])
if known then
  local id, expires = known:match('^(%S+) (%d+)$')
  if id and tonumber(expires) > tonumber(ARGV[1]) then
    redis.call('PEXPIRE', KEYS[2], redis.call('PTTL', KEYS[2]))
    return {id, 1}
  end
end
local id = redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[4], ARGV[5], unpack(ARGV, 6))
redis.call('SET', KEYS[2], id .. ' ' .. ARGV[2], 'PX', ARGV[3])
return {id, 0}
`;
