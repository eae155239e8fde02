#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Writes the fence of a grant to one node of a quorum lock, if the token still has its vote, so that every later majority
-- knows it.
--
-- KEYS[1] lock   as in quorum_acquire.lua
-- KEYS[2] fence  as in quorum_acquire.lua
-- ARGV[1] token  whose grant
-- ARGV[2] fence  of the grant, below 2^53
-- ARGV[3] memory how long the last fence is kept, milliseconds
-- Returns {0} written; {1} another has the vote, or nobody
-- Cost    O(1)
-- Retry   safe
local lock, fence, token, value, memory = KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3]
if redis.call('GET', lock) ~= token then
  return { 1 }
end
local last = tonumber(redis.call('GET', fence) or '0') or 0
redis.call('SET', fence, string.format('%.0f', math.max(last, tonumber(value))), 'PX', memory)
return { 0 }
