#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Fences a pool, so that nothing changes in it, or opens it again.
--
-- KEYS[1] meta     hash, the state of the pool
-- KEYS[2] version  string, changed whenever units may have become available
-- ARGV[1] epoch    life of the pool that is meant, 1..10^12
-- ARGV[2] state    "fenced" or "open"
-- Returns {0} done; {1} no such pool
-- Cost    O(1)
-- Retry   safe: it sets a state
local meta, version = KEYS[1], KEYS[2]
local epoch, state = ARGV[1], ARGV[2]

local m = redis.call('HMGET', meta, 'epoch', 'version')
if m[1] ~= epoch then
  return {1}
end
local again = string.format('%.0f', tonumber(m[2]) + 1)
redis.call('HSET', meta, 'state', state, 'version', again)
redis.call('SET', version, again .. ':' .. state)
return {0}
