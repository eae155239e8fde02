#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Writes numbers as text.
--
-- KEYS[1] counter  string
-- ARGV[1] step     integer, 1 to 100
-- Returns the counter
-- Cost    O(1)
local n = tonumber(ARGV[1])
redis.call('SET', KEYS[1], tostring(n)) -- <- L14
redis.call('SET', KEYS[1], tostring(ARGV[1] + 1)) -- <- L14
redis.call('SET', KEYS[1], tostring(redis.call('INCR', KEYS[1]))) -- <- L14
redis.call('SET', KEYS[1], tostring(math.floor(n))) -- <- L14
-- Right:
redis.call('SET', KEYS[1], string.format('%d', n))
return tostring(ARGV[1]) .. tostring(redis.call('GET', KEYS[1])) .. tostring(n > 1)
