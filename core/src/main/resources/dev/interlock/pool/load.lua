#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Writes claims of the epoch that a pool is sealed for.
--
-- KEYS[1] meta      hash, the state of the pool
-- KEYS[2] prepared  hash, the claims of the next epoch
-- ARGV[1] epoch     the epoch, 2..10^12
-- ARGV[2] keep      how long to keep them if nobody goes on, milliseconds
-- ARGV[3..] user and lines "nth TAB sequence TAB request LF" in turn, at most 5,000 of each
-- Returns {0} written; {1} not sealed for that epoch
-- Cost    O(claims)
-- Retry   safe: it sets fields
local meta, prepared = KEYS[1], KEYS[2]
local epoch, keep = ARGV[1], ARGV[2]

if redis.call('HGET', meta, 'seal') ~= epoch then
  return {1}
end
for first = 3, #ARGV, 1000 do
  redis.call('HSET', prepared, unpack(ARGV, first, math.min(first + 999, #ARGV)))
end
redis.call('PEXPIRE', prepared, keep)
return {0}
