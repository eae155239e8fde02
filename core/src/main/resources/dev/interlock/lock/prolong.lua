#!lua flags=allow-oom
-- SPDX-License-Identifier: Apache-2.0
-- Prolongs a batch of permits, each only if its token still holds it, and never shortens one.
--
-- KEYS[1..] two a request: holders, queue, as in enter.lua
-- ARGV[1..] two a request: token, lease from now in milliseconds, 10..86400000; at most 256 requests
-- Returns one value a request: 0 it is not held any more, 1 prolonged, 2 prolonged and somebody waits
-- Cost    O(batch * log holders)
-- Retry   unsafe: sent again only by the next tick, which leaves out what was released since
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local reply = {}
for i = 1, #KEYS / 2 do
  local holders, token, code = KEYS[i * 2 - 1], ARGV[i * 2 - 1], 0
  local lease = ARGV[i * 2] * 1
  local member = 'r' .. token
  local ends = redis.pcall('ZSCORE', holders, member)
  if not ends then
    member = 'w' .. token
    ends = redis.pcall('ZSCORE', holders, member)
  end
  if type(ends) == 'string' and tonumber(ends) > now then
    redis.call('ZADD', holders, string.format('%.0f', math.max(tonumber(ends), now + lease * 1000)), member)
    if redis.call('PTTL', holders) < lease then
      redis.call('PEXPIRE', holders, lease)
    end
    code = 1 + redis.call('EXISTS', KEYS[i * 2])
  end
  reply[i] = code
end
return reply
