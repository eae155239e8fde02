#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Creates a pool unless it exists, and writes its creation to the outbox as event 0.
--
-- KEYS[1] meta     hash, the state of the pool
-- KEYS[2] claims   hash, who holds which unit
-- KEYS[3] outbox   stream, the events that wait to be recorded
-- KEYS[4] version  string, changed whenever units may have become available
-- ARGV[1] token    of this call: the same token again gets the first answer
-- ARGV[2] epoch    life of the pool, 1..10^12
-- ARGV[3] total    units, 0..10^12
-- ARGV[4] limit    units a user, 1..100
-- ARGV[5] opens    first open moment, microseconds since 1970
-- ARGV[6] closes   first moment after, microseconds since 1970
-- Returns {0} created; {1, epoch, seq, left, users, fenced, '', held} exists; {2} claims or outbox without
--         meta; {3, epoch} a pool of this name was dropped in that epoch and this one is not higher
-- Cost    O(1)
-- Retry   safe: by token
local meta, claims, outbox, version = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local token, epoch, total, limit, opens, closes = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

local m = redis.call('HMGET', meta, 'token', 'epoch', 'seq', 'left', 'state', 'held', 'dropped')
if m[1] == token then
  return {0}
end
if m[2] then
  local users = redis.call('HLEN', claims)
  return {1, m[2], m[3], m[4], users, m[5] == 'fenced' and 1 or 0, '', m[6] or 0}
end
if m[7] and tonumber(m[7]) >= tonumber(epoch) then
  return {3, m[7]}
elseif not m[7] and redis.call('EXISTS', claims, outbox) > 0 then
  return {2}
end

local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000000 + time[2])
redis.call('XADD', outbox, '*', 'h', 'C ' .. epoch .. ' 0 ' .. now, 'total', total)
redis.call('HSET', meta, 'token', token, 'epoch', epoch, 'total', total, 'left', total, 'seq', '0', 'limit', limit,
  'opens', opens, 'closes', closes, 'state', 'open', 'version', '1', 'adjusted', '0')
redis.call('SET', version, '1:' .. token)
return {0}
