#!lua flags=no-writes
-- SPDX-License-Identifier: Apache-2.0
-- Counts who holds permits now, and says which of some tokens do.
--
-- KEYS[1] holders  as in enter.lua
-- ARGV[1..] tokens, any number
-- Returns the count, then 1 or 0 for each token
-- Cost    O((1 + tokens) * log holders)
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local reply = { redis.call('ZCOUNT', KEYS[1], '(' .. string.format('%.0f', now), '+inf') }
for i = 1, #ARGV do
  local ends = redis.call('ZSCORE', KEYS[1], 'r' .. ARGV[i]) or redis.call('ZSCORE', KEYS[1], 'w' .. ARGV[i])
  reply[i + 1] = ends and tonumber(ends) > now and 1 or 0
end
return reply
