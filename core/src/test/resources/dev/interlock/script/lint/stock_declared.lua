#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Reads the stock of an article.
--
-- KEYS[1] orders  string, how many were asked for
-- KEYS[2] stock   string, units of the article
-- Returns the stock
-- Cost    O(1)
redis.call('INCR', KEYS[1])
return redis.call('GET', KEYS[2])
