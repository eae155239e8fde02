#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Reads the stock of an article, by a key that was not declared.
--
-- KEYS[1] orders   string, how many were asked for
-- ARGV[1] article  any text
-- Returns the stock
-- Cost    O(1)
redis.call('INCR', KEYS[1])
return redis.call('GET', "stock:" .. ARGV[1]) -- <- L11
