#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Asks for nil.
--
-- KEYS[1] counter  string
-- KEYS[2] list     list
-- ARGV[1] limit    integer, optional
-- Returns the counter
-- Cost    O(1)
local left = redis.call('GET', KEYS[1])
if left == nil then -- <- L06
  return 1
end
if nil ~= redis.pcall('GET', KEYS[1]) then -- <- L06
  return 2
end
local ok, guarded = pcall(redis.call, 'HGET', KEYS[1], 'f')
if ok and guarded == nil then -- <- L06
  return 3
end
local row = redis.call('MGET', KEYS[1], KEYS[2])
if row[2] ~= nil then -- <- L06
  return 4
end
-- Right: arguments, ends of lists, conversions and locals that may have no value are nil.
local first = redis.call('LRANGE', KEYS[2], 0, 0)[1]
local maybe
if first == nil then
  maybe = redis.call('GET', KEYS[1])
end
if ARGV[1] == nil or tonumber(left) == nil or maybe == nil or left == false then
  return 5
end
return left
