#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Compares in all wrong ways, and in the right ones.
--
-- KEYS[1] counter  string
-- KEYS[2] state    hash
-- ARGV[1] wanted   integer, 1 to 100
-- Returns the counter
-- Cost    O(1)
local left = redis.call('GET', KEYS[1])
local fields = redis.call('HMGET', KEYS[2], 'a', 'b')
local function wanted()
  return ARGV[1]
end
if left < 1 then -- <- L05
  return 1
end
if 5 >= ARGV[1] then -- <- L05
  return 2
end
if left < ARGV[1] then -- <- L05
  return 3
end
if fields[2] > tonumber(ARGV[1]) then -- <- L05
  return 4
end
if wanted() > 3 then -- <- L05
  return 5
end
if left == 0 then -- <- L05
  return 6
end
if not left then
  left = 0
end
if left <= 0 then -- <- L05
  return 7
end
for _, member in ipairs(redis.call('LRANGE', KEYS[1], 0, 9)) do
  if member > 7 then -- <- L05
    return 8
  end
end
-- Right: integers, conversions, text with text, and this: if left < 1 then
if redis.call('INCR', KEYS[1]) > 5 or redis.call('LLEN', KEYS[1]) == 0 then
  return 9
end
if tonumber(fields[1]) > 5 or (tonumber(fields[2]) or 0) < 1 or ARGV[1] == 'all' or fields[1] == ARGV[1] then
  return 10
end
local known = redis.call('GET', KEYS[1])
known = tonumber(known) or 0
if known < tonumber(ARGV[1]) then
  return 11
end
local count = redis.call('GET', KEYS[1])
if count then
  count = tonumber(count)
else
  count = 0
end
if count > 3 or (redis.call('GET', KEYS[1]) or 0) == 0 then
  return 12
end
return known
