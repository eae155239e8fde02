#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Takes units of several articles for one request: all of them or none.
--
-- KEYS[1] record      string, what the request got
-- KEYS[2..] counters  string, units left, one an article
-- ARGV[1] memory      how long the request is remembered, milliseconds, 1000..31622400000
-- ARGV[2] lines       number of articles, 1..100
-- ARGV[3..] quantity and article of each line in turn
-- Returns {0, left...} taken; {1, line, left} too few; {2, line} no such counter; {3} the request was for something else or was given back;
--         {4, line} the counter is no whole number; lines count from 1
-- Cost    O(lines)
-- Retry   safe: by request
local record, memory, lines = KEYS[1], ARGV[1], tonumber(ARGV[2])
local values = redis.call('MGET', unpack(KEYS, 2, #KEYS))
local before = redis.call('GET', record)
local reply, entry, asked = {0}, 'T\n', ''
local refusal
for i = 1, lines do
  local value, quantity, article = values[i], ARGV[2 * i + 1], ARGV[2 * i + 2]
  local left = value and tonumber(value)
  if value and value ~= '0' and not (string.match(value, '^%-?[1-9]%d*$') and #value < 16) then
    refusal = refusal or {4, i}
  elseif not value then
    -- MGET answers a key of another type like a missing one.
    refusal = refusal or {redis.call('EXISTS', KEYS[i + 1]) == 1 and 4 or 2, i}
  elseif left < tonumber(quantity) then
    refusal = refusal or {1, i, math.max(left, 0)}
  else
    reply[i + 1] = left - tonumber(quantity)
    entry = entry .. quantity .. '\t' .. string.format('%.0f', reply[i + 1]) .. '\t' .. article .. '\n'
  end
  asked = asked .. quantity .. '\t' .. article .. '\n'
end

if before then
  if string.sub(before, 1, 1) ~= 'T' or string.gsub(string.sub(before, 3), '(%d+\t)%d+\t([^\n]*\n)', '%1%2') ~= asked then
    return {3}
  end
  local again = {0}
  for left in string.gmatch(before, '\n%d+\t(%d+)\t') do
    again[#again + 1] = left
  end
  return again
end
if refusal then
  return refusal
end
redis.call('SET', record, entry, 'PX', memory)
for i = 1, lines do
  redis.call('DECRBY', KEYS[i + 1], ARGV[2 * i + 1])
end
return reply
