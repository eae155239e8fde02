#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Takes units of one article for a batch of requests, in order; each in full or not at all.
-- A record is "T" (taken), "B" (given back) or "A" (added), then a line "quantity TAB left TAB article".
--
-- KEYS[1] counter    string, units left
-- KEYS[2..] records  string, what a request got, one a request
-- ARGV[1] memory     how long a request is remembered, milliseconds, 1000..31622400000
-- ARGV[2..] quantity of each request, 1..10^6, at most 256
-- Returns {0, code, number...}: for each request 0 taken and units left after it, 1 too few and units left,
--         2 no such counter, 3 the request was for something else or was given back; or {1} the counter is no whole number
-- Cost    O(batch)
-- Retry   safe: by request
local counter, memory = KEYS[1], ARGV[1]
local value = redis.call('GET', counter)
local known = redis.call('MGET', unpack(KEYS, 2, #KEYS))
if value and value ~= '0' and not (string.match(value, '^%-?[1-9]%d*$') and #value < 16) then
  return {1}
end

local left, taken, fresh, reply = value and tonumber(value), 0, {}, {0}
for i = 2, #ARGV do
  local record, quantity = fresh[KEYS[i]] or known[i - 1], tonumber(ARGV[i])
  local code, number = 2, 0
  if record then
    local before, after = string.match(record, '^T\n(%d+)\t(%d+)\t\n$')
    code, number = before == ARGV[i] and 0 or 3, after or 0
  elseif left and left < quantity then
    code, number = 1, math.max(left, 0)
  elseif left then
    left, taken = left - quantity, taken + quantity
    code, number = 0, left
    fresh[KEYS[i]] = 'T\n' .. ARGV[i] .. '\t' .. string.format('%.0f', left) .. '\t\n'
  end
  reply[2 * i - 2], reply[2 * i - 1] = code, number
end

if taken > 0 then
  redis.call('DECRBY', counter, string.format('%.0f', taken))
  for key, record in pairs(fresh) do
    redis.call('SET', key, record, 'PX', memory)
  end
end
return reply
