/**
 * Puts the next entries of the stream into the search index, in one atomic step: any number of processes may do so at once.
 *
 * KEYS: stream, how far it is indexed. ARGV: prefix of documents, most entries, most bytes, name of the index where
 * documents have to be added to it (empty: it takes up hashes by itself).
 * Returns whether there may be more.
 */
export const putScript = `
local done = redis.call('GET', KEYS[2]) or '0-0'
local entries = redis.call('XRANGE', KEYS[1], '(' .. done, '+', 'COUNT', ARGV[2])
local bytes, put = 0, 0

local function document(key, fields)
  -- No more arguments at once than the stack of Lua holds.
  for i = 1, #fields, 1000 do
    local answer = redis.pcall('HSET', key, unpack(fields, i, math.min(i + 999, #fields)))
    if type(answer) == 'table' and answer.err then return answer end
  end
  if ARGV[4] == '' then return nil end
  local answer = redis.pcall('FT.ADDHASH', ARGV[4], key, '1', 'REPLACE')
  if answer.err then return answer end
end

local failure
for _, entry in ipairs(entries) do
  failure = document(ARGV[1] .. entry[1], entry[2])
  if failure then break end
  done, put = entry[1], put + 1
  for _, text in ipairs(entry[2]) do bytes = bytes + #text end
  if bytes >= tonumber(ARGV[3]) then break end
end
if put > 0 then redis.call('SET', KEYS[2], done) end
return failure or (put < #entries or put == tonumber(ARGV[2])) and 1 or 0
`;

/**
 * Drops entries that have outlived their time together with their documents, in one atomic step.
 *
 * KEYS: stream. ARGV: prefix of documents, most entries, the last entry that may go, length of the stream, time of the
 * oldest entry (in milliseconds), name of the index where documents have to be removed from it (else empty).
 * Returns whether there may be more.
 */
export const dropScript = `
local surplus = redis.call('XLEN', KEYS[1]) - tonumber(ARGV[4])
local entries = redis.call('XRANGE', KEYS[1], '-', ARGV[3], 'COUNT', ARGV[2])
for i, entry in ipairs(entries) do
  local id = entry[1]
  if i > surplus and tonumber(id:match('^%d+')) >= tonumber(ARGV[5]) then return 0 end
  -- An index that is gone has nothing to be removed from.
  if ARGV[6] ~= '' then redis.pcall('FT.DEL', ARGV[6], ARGV[1] .. id, 'DD') end
  redis.call('UNLINK', ARGV[1] .. id)
  redis.call('XDEL', KEYS[1], id)
end
return #entries == tonumber(ARGV[2]) and 1 or 0
`;
