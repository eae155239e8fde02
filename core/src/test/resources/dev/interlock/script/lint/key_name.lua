#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Reads keys that were not declared.
--
-- KEYS[1] counter   string
-- KEYS[2..] more    strings, at most 10
-- ARGV[1] article   any text
-- Returns nothing
-- Cost    O(1)
local call = redis.call
local stock = 'stock:' .. ARGV[1]
local function name(article)
  return string.format('stock:%s', article)
end
local function get(key)
  return redis.call('GET', key) -- <- L11
end
call('GET', stock) -- <- L11
call('GET', name(ARGV[1])) -- <- L11
get(KEYS[1])
get(('stock:%s'):format(ARGV[1]))
redis.call('INCR', 'counter') -- <- L11
redis.call('MGET', KEYS[1], ARGV[1]) -- <- L11
redis.call('MSET', KEYS[1], 'a', KEYS[1] .. ':b', 'b') -- <- L11
redis.call('GET', redis.call('GET', KEYS[1])) -- <- L11
redis.call('OBJECT', 'ENCODING', table.concat({ 'a', 'b' }, ':')) -- <- L11
redis.call('ZUNIONSTORE', KEYS[1], 2, KEYS[2], 'z') -- <- L11
redis.call(
  'XREAD',
  'COUNT',
  1,
  'STREAMS',
  KEYS[1],
  'events', -- <- L11
  '0',
  '0')
local names = {}
for i = 1, 3 do
  names[#names + 1] = 'stock:' .. i
end
redis.call('DEL', unpack(names)) -- <- L11
-- Right:
local first, more = KEYS[1], {}
for i, key in ipairs(KEYS) do
  redis.call('SET', key, 'stock:' .. i)
  more[#more + 1] = key
end
redis.call('DEL', unpack(more))
redis.call('HSET', first, 'field:' .. ARGV[1], ARGV[1])
redis.call('PUBLISH', 'channel:' .. ARGV[1], 'x')
local pairs_ = { KEYS[1], ARGV[1] }
redis.call('MSET', unpack(pairs_))
redis.call('BITOP', 'AND', KEYS[1], KEYS[2])
return get(first)
