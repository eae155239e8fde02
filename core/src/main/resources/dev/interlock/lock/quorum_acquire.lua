#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Asks one node of a quorum lock for its vote: granted if nobody else has it, and again to a token that has it already.
--
-- KEYS[1] lock   string, the token that has this node's vote
-- KEYS[2] fence  string, the last fence this node knows
-- ARGV[1] token  who asks, 32 hex digits
-- ARGV[2] lease  milliseconds, 10..86400000
-- Returns {0, smallest fence that this node allows} granted; {1, remaining milliseconds} refused; {2} the vote never
--         expires; {3} the last fence is no whole number; nothing was changed by the last three
-- Cost    O(1)
-- Retry   safe: by token
local lock, fence, token, lease = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
local held = redis.call('GET', lock)
local last = redis.call('GET', fence) or '0'
local ttl = redis.call('PTTL', lock)
if ttl == -1 then
  return { 2 }
elseif not string.match(last, '^%d+$') then
  return { 3 }
elseif held and held ~= token then
  return { 1, ttl }
end
redis.call('SET', lock, token, 'PX', math.max(ttl, tonumber(lease)))
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
return { 0, string.format('%.0f', math.max(tonumber(last) + 1, now)) }
