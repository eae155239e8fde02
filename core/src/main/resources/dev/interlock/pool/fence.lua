#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Fences a pool, so that nothing changes in it, or opens it again if the same holder fenced it and nobody sealed it since.
--
-- KEYS[1] meta     hash, the state of the pool
-- KEYS[2] version  string, changed whenever units may have become available
-- ARGV[1] epoch    life of the pool that is meant, 1..10^12
-- ARGV[2] state    "fenced" or "open"
-- ARGV[3] holder   who does it
-- Returns {0} done; {1} no such pool, or not to be opened
-- Cost    O(1)
-- Retry   safe: it sets a state
local meta, version = KEYS[1], KEYS[2]
local epoch, state, holder = ARGV[1], ARGV[2], ARGV[3]

local m = redis.call('HMGET', meta, 'epoch', 'version', 'state', 'holder', 'seal')
if m[1] ~= epoch then
  return {1}
end
if state == 'open' and (m[5] or m[3] ~= 'open' and m[4] ~= holder) then
  return {1}
end
local again = string.format('%.0f', tonumber(m[2]) + 1)
redis.call('HSET', meta, 'state', state, 'version', again)
if state == 'open' then
  redis.call('HDEL', meta, 'holder')
else
  redis.call('HSET', meta, 'holder', holder)
end
redis.call('SET', version, again .. ':' .. state)
return {0}
