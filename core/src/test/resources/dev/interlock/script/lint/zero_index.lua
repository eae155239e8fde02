#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Reads a counter.
--
-- KEYS[1] counter  string
-- ARGV[1] step     integer, 1 to 100
-- Returns the counter
-- Cost    O(1)
local keys, first = KEYS, 0
redis.call('INCRBY', KEYS[1], ARGV[0]) -- <- L04
redis.call('INCRBY', keys[0], ARGV[1]) -- <- L04
return redis.call('INCRBY', KEYS[1], ARGV[first]) -- <- L04
