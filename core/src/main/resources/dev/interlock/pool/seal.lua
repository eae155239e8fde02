#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Fences what is left of a pool, or its place if nothing is, for the preparation of its next epoch.
--
-- KEYS[1] meta     hash, the state of the pool
-- KEYS[2] version  string, changed whenever units may have become available
-- ARGV[1] epoch    the epoch to prepare, 2..10^12
-- ARGV[2] before   the epoch before it
-- Returns {0} sealed; {1} the pool is in that epoch, or in or sealed for a higher one
-- Cost    O(1)
-- Retry   safe: it sets a state
local meta, version = KEYS[1], KEYS[2]
local epoch, before = ARGV[1], ARGV[2]

local m = redis.call('HMGET', meta, 'epoch', 'seal', 'version')
local next = tonumber(epoch)
if m[1] and tonumber(m[1]) >= next or m[2] and tonumber(m[2]) > next then
  return {1}
end
if not m[1] then
  redis.call('HSET', meta, 'epoch', before, 'total', '0', 'left', '0', 'seq', '0', 'limit', '1', 'opens', '0',
    'closes', '0', 'adjusted', '0')
end
local again = string.format('%.0f', tonumber(m[3] or '0') + 1)
redis.call('HSET', meta, 'state', 'fenced', 'seal', epoch, 'version', again)
redis.call('HDEL', meta, 'holder')
redis.call('SET', version, again .. ':seal')
return {0}
