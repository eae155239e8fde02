#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Unpacks tables without an end, and with one.
--
-- KEYS[1] list    list
-- KEYS[2..] rest  lists
-- ARGV[1] count   integer, 1 to 100
-- ARGV[2] size    integer, 1 to 2^53
-- ARGV[3..] items to add, at most 500
-- Returns nothing
-- Cost    O(items)
local all = redis.call('SMEMBERS', KEYS[1])
redis.call('RPUSH', KEYS[1], unpack(all)) -- <- L13
redis.call('RPUSH', KEYS[1], unpack(redis.call('LRANGE', KEYS[1], 0, -1))) -- <- L13
redis.call('DEL', unpack(KEYS)) -- <- L13
redis.call('DEL', unpack(KEYS, 2)) -- <- L13
local copy = {}
for _, item in ipairs(all) do
  copy[#copy + 1] = item
end
redis.call('RPUSH', KEYS[1], unpack(copy)) -- <- L13
local many = {}
for i = 1, tonumber(ARGV[2]) do
  table.insert(many, i)
end
redis.call('RPUSH', KEYS[1], unpack(many)) -- <- L13
-- Right:
redis.call('RPUSH', KEYS[1], unpack(ARGV))
redis.call('RPUSH', KEYS[1], unpack(ARGV, 3, #ARGV))
local batch = {}
for i = 3, #ARGV do
  batch[#batch + 1] = ARGV[i]
end
redis.call('RPUSH', KEYS[1], unpack(batch))
local few = redis.call('LRANGE', KEYS[1], 0, 99)
redis.call('RPUSH', KEYS[1], unpack(few))
redis.call('RPUSH', KEYS[1], unpack(redis.call('LPOP', KEYS[1], tonumber(ARGV[1]))))
redis.call('RPUSH', KEYS[1], unpack({ 'a', ARGV[1] }))
for start = 1, #all, 1000 do
  redis.call('RPUSH', KEYS[1], unpack(all, start, math.min(start + 999, #all)))
  local slice = {}
  for i = start, math.min(start + 999, 7000) do
    slice[#slice + 1] = all[i]
  end
  redis.call('RPUSH', KEYS[1], unpack(slice))
end
return 0
