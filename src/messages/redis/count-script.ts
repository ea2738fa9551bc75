/**
 * Counts what came to the stream since the last time, and drops what has outlived its time, in one atomic step: any
 * number of processes may run it, none counts an entry twice, and entries of other writers count too.
 *
 * KEYS: stream, counted, hours, systems, severities, all time, absent, unfinished. ARGV: prefix of the other buckets, most
 * entries, most bytes, most systems, most severities, seconds that a bucket is kept, length to trim to (0: do not trim),
 * id to trim to. Returns how far it is counted, how many entries this run counted, whether that was all, and how many were counted
 * under "(other)" ever.
 *
 * What is to be written is written to one key first, which goes when all of it is: a Redis (up to 8.2 at least) that was
 * killed while it wrote a transaction to its append-only file drops it when it starts, and at the start after that brings
 * back the first part. All of it can be written twice: values are set, not incremented.
 *
 * Entries are read a few at a time: each may be megabytes. Nothing is trimmed before all is counted. Trimming is in steps
 * (LIMIT), exact where the rest is small, so that no run takes long.
 */
export const countScript = `
local function finish(writes)
  for _, write in ipairs(writes) do redis.call(unpack(write)) end
  redis.call('DEL', KEYS[8])
end
local unfinished = redis.call('GET', KEYS[8])
if unfinished then finish(cmsgpack.unpack(unfinished)) end

local max_entries, max_bytes = tonumber(ARGV[2]), tonumber(ARGV[3])
local cursor = redis.call('HGET', KEYS[2], 'cursor') or '0-0'
local sums, counted, bytes, all = {}, 0, 0, 0

while all == 0 and counted < max_entries and bytes < max_bytes do
  local entries = redis.call('XRANGE', KEYS[1], '(' .. cursor, '+', 'COUNT', 16)
  for _, entry in ipairs(entries) do
    local system, severity = '', 'info'
    cursor = entry[1]
    local fields = entry[2]
    for i = 1, #fields, 2 do
      local name, value = fields[i], fields[i + 1]
      if name == 'system' then system = value elseif name == 'severity' then severity = value end
      bytes = bytes + #value
    end
    if severity:find('\\n', 1, true) then severity = severity:gsub('\\n', ' ') end
    local minute = math.floor(tonumber(cursor:match('^%d+')) / 60000)
    local labels = severity .. '\\n' .. system
    local of_minute = sums[minute]
    if not of_minute then of_minute = {}; sums[minute] = of_minute end
    local sum = of_minute[labels]
    if sum then sum.count = sum.count + 1
    else of_minute[labels] = {severity = severity, system = system, count = 1} end
    counted = counted + 1
  end
  if #entries < 16 then all = 1 end
end

local other = '(other)'
local function named(key, label, max_bytes, max)
  label = label:sub(1, max_bytes)
  if redis.call('SISMEMBER', key, label) == 1 then return label end
  if redis.call('SCARD', key) >= tonumber(max) then return other end
  redis.call('SADD', key, label)
  return label
end

-- What is added to which field of which hash.
local added = {}
local function add(key, field, count)
  if not added[key] then added[key] = {} end
  added[key][field] = (added[key][field] or 0) + count
end

-- A server that is out of memory lets a script write on that has begun with what takes no memory. It is to trim below.
if counted > 0 then redis.call('PERSIST', KEYS[2]) end

local writes = {}
for minute, of_minute in pairs(sums) do
  local hour = string.format('%d', minute - minute % 60)
  local minute_key = ARGV[1] .. 'minute:' .. string.format('%d', minute)
  local hour_key = ARGV[1] .. 'hour:' .. hour
  for _, sum in pairs(of_minute) do
    local system = named(KEYS[4], sum.system, 1024, ARGV[4])
    local severity = named(KEYS[5], sum.severity, 64, ARGV[5])
    if system == other or severity == other then add(KEYS[2], 'other', sum.count) end
    local labels = severity .. '\\n' .. system
    add(minute_key, labels, sum.count)
    add(hour_key, labels, sum.count)
    add(KEYS[6], labels, sum.count)
  end
  writes[#writes + 1] = {'EXPIRE', minute_key, ARGV[6]}
  writes[#writes + 1] = {'EXPIRE', hour_key, ARGV[6]}
  writes[#writes + 1] = {'ZADD', KEYS[3], hour, hour}
end

if counted > 0 then
  for key, fields in pairs(added) do
    local write = {'HSET', key}
    for field, count in pairs(fields) do
      write[#write + 1] = field
      write[#write + 1] = string.format('%d', (redis.call('HGET', key, field) or 0) + count)
    end
    table.insert(writes, 1, write)
  end
  writes[#writes + 1] = {'HSET', KEYS[2], 'cursor', cursor}
  redis.call('SET', KEYS[8], cmsgpack.pack(writes))
  finish(writes)
  local minute = math.floor(tonumber(cursor:match('^%d+')) / 60000)
  redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', minute - math.floor(tonumber(ARGV[6]) / 60))
end

local max_length = tonumber(ARGV[7])
if all == 1 and max_length > 0 then
  if redis.call('XLEN', KEYS[1]) > max_length then
    local dropped = redis.call('XTRIM', KEYS[1], 'MAXLEN', '~', max_length)
    if dropped == 0 and max_length < 1000 then redis.call('XTRIM', KEYS[1], 'MAXLEN', '=', max_length) end
  end
  local dropped = redis.call('XTRIM', KEYS[1], 'MINID', '~', ARGV[8])
  if dropped == 0 then redis.call('XTRIM', KEYS[1], 'MINID', '=', ARGV[8]) end
end

return {cursor, counted, all, tonumber(redis.call('HGET', KEYS[2], 'other') or 0)}
`;
