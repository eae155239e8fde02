#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Changes the number of units left, as an event, unless another adjustment was made after the one it is based on.
--
-- KEYS[1] meta     hash, the state of the pool
-- KEYS[2] outbox   stream, the events that wait to be recorded
-- KEYS[3] journal  hash, events that are not claims
-- KEYS[4] version  string, changed whenever units may have become available
-- ARGV[1] token    of this call: the same token again gets the first answer
-- ARGV[2] epoch    life of the pool that was looked at, 1..10^12
-- ARGV[3] based    sequence that the adjustment is based on, 0..2^53
-- ARGV[4] delta    units to add, negative to take, -10^12..10^12
-- ARGV[5] max      most units left, 10^12
-- ARGV[6] reason   text
-- ARGV[7] known    highest epoch the caller has seen, 0..10^12
-- ARGV[8] seen     highest sequence of that epoch the caller has seen, 0..2^53
-- Returns {0, seq, left} done; {1} no pool; {2} fenced; {3, seq} outdated; {4, epoch, seq} went back in time
-- Cost    O(1)
-- Retry   safe: by token
local meta, outbox, journal, version = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local token, delta, reason = ARGV[1], tonumber(ARGV[4]), ARGV[6]
local m = redis.call('HMGET', meta, 'epoch', 'seq', 'left', 'state', 'adjusted', 'adjust_token', 'adjust_left', 'version')
if not m[1] then
  return {1}
end
if m[6] == token then
  return {0, m[5], m[7]}
end
if m[4] ~= 'open' then
  return {2}
end
local epoch, known = tonumber(m[1]), tonumber(ARGV[7])
if epoch < known or epoch == known and tonumber(m[2]) < tonumber(ARGV[8]) then
  return {4, m[1], m[2]}
end
local seq, left = tonumber(m[2]), tonumber(m[3]) + delta
local based = tonumber(ARGV[3])
if m[1] ~= ARGV[2] or tonumber(m[5]) > based or based > seq or left < 0 or left > tonumber(ARGV[5]) then
  return {3, m[2]}
end
redis.call('EXISTS', journal, version)
redis.call('HLEN', journal)

local time = redis.call('TIME')
local next, rest = string.format('%.0f', seq + 1), string.format('%.0f', left)
local head = string.format('A %s %s %.0f', m[1], next, time[1] * 1000000 + time[2])
local again = string.format('%.0f', tonumber(m[8]) + 1)
redis.call('XADD', outbox, '*', 'h', head, 'delta', ARGV[4], 'reason', reason)
redis.call('HSET', journal, next, 'A\t' .. ARGV[4] .. '\t' .. reason)
redis.call('HSET', meta, 'seq', next, 'left', rest, 'adjusted', next, 'adjust_token', token, 'adjust_left', rest,
  'version', again)
redis.call('SET', version, again .. ':' .. token)
return {0, next, rest}
