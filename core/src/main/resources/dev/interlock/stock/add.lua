#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Adds units to an article, once for each request.
--
-- KEYS[1] counter   string, units left
-- KEYS[2] record    string, what the request did
-- ARGV[1] memory    how long the request is remembered, milliseconds, 1000..31622400000
-- ARGV[2] quantity  units to add, 1..10^6
-- ARGV[3] max       most units left, 10^12
-- Returns {0, left} added; {1, left} there would be too many; {2} no such counter; {3} the request was for something
--         else; {4} the counter is no whole number
-- Cost    O(1)
-- Retry   safe: by request
local counter, record, memory, quantity, max = KEYS[1], KEYS[2], ARGV[1], ARGV[2], tonumber(ARGV[3])
local value = redis.call('GET', counter)
local before = redis.call('GET', record)
if before then
  local asked, after = string.match(before, '^A\n(%d+)\t(%-?%d+)\t\n$')
  return asked == quantity and {0, after} or {3}
end
if not value then
  return {2}
end
if value ~= '0' and not (string.match(value, '^%-?[1-9]%d*$') and #value < 16) then
  return {4}
end
local left = tonumber(value) + tonumber(quantity)
if left > max then
  return {1, value}
end

redis.call('INCRBY', counter, quantity)
redis.call('SET', record, 'A\n' .. quantity .. '\t' .. string.format('%.0f', left) .. '\t\n', 'PX', memory)
return {0, left}
