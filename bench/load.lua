-- What wrk sends, and how it tells the outcome. Arguments: method, path, file of the body (`-` for none), then headers
-- as `name: value`. `[<id>]` in a header stands for an id that is another one in each request.
local request_of_id
local id = 0

function init(args)
  local method, path, file = args[1], args[2], args[3]
  local body = file ~= '-' and io.open(file, 'rb'):read('*a') or nil
  local headers, varies = {}, nil
  for i = 4, #args do
    local name, value = args[i]:match('^([^:]+): (.*)$')
    headers[name] = value
    if value == '[<id>]' then varies = name end
  end
  if varies then
    -- wrk has no clock: ids begin with what no other run has.
    local run = tostring(headers):match('0x%x+') .. '-' .. os.time() .. '-'
    request_of_id = function()
      id = id + 1
      headers[varies] = run .. id
      return wrk.format(method, path, headers, body)
    end
  else
    local bytes = wrk.format(method, path, headers, body)
    request_of_id = function() return bytes end
  end
end

function request() return request_of_id() end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"duration":%f,"p50":%f,"p99":%f,"failures":{"status of 400 and above":%d,"connection error":%d,"time-out":%d}}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.status, errors.connect + errors.read + errors.write, errors.timeout))
end
