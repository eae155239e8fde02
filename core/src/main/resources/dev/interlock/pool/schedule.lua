#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Changes from when to when a pool is open.
--
-- KEYS[1] meta     hash, the state of the pool
-- KEYS[2] outbox   stream, the events that wait to be recorded
-- KEYS[3] log      sorted set, events by their sequence, until they are recorded
-- KEYS[4] version  string, changed whenever answers may have become other ones
-- ARGV[1] epoch   highest the caller has seen, 0..10^12
-- ARGV[2] seen    highest sequence of that epoch the caller has seen, 0..2^53
-- ARGV[3] token   of this call: the same token again gets the first answer
-- ARGV[4] opens   first open moment, microseconds since 1970
-- ARGV[5] closes  first moment after, microseconds since 1970
-- Returns {0, seq, epoch} changed; {1} no pool; {2} fenced; {3, epoch, seq} went back in time; {4} corrupt
-- Cost    O(1)
-- Retry   safe: by token
local meta, outbox, log, version = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local token, opens, closes = ARGV[3], ARGV[4], ARGV[5]
local m = redis.call('HMGET', meta, 'epoch', 'seq', 'state', 'version', 'schedule')
if not m[1] then
  return {1}
end
local epoch, seq, again = tonumber(m[1]), tonumber(m[2]), tonumber(m[4])
if not (epoch and seq and again) then
  return {4}
end
if epoch < tonumber(ARGV[1]) or epoch == tonumber(ARGV[1]) and seq < tonumber(ARGV[2]) then
  return {3, m[1], m[2]}
elseif m[3] ~= 'open' then
  return {2}
elseif m[5] and string.sub(m[5], 1, #token) == token then
  return {0, string.sub(m[5], #token + 2), m[1]}
end
redis.call('ZCARD', log)

local time = redis.call('TIME')
local next = string.format('%.0f', seq + 1)
local head, data = string.format('T %s %s %.0f', m[1], next, time[1] * 1000000 + time[2]), opens .. '\t' .. closes
again = string.format('%.0f', again + 1)
redis.call('XADD', outbox, '*', 'h', head, 'd', data)
redis.call('ZADD', log, next, head .. '\n' .. data)
redis.call('HSET', meta, 'seq', next, 'opens', opens, 'closes', closes, 'version', again, 'schedule', token .. ' ' .. next)
redis.call('SET', version, again .. ':' .. token)
return {0, next, m[1]}
