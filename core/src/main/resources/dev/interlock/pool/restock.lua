#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Adds units to a pool, once for each request.
--
-- KEYS[1] meta     hash, the state of the pool
-- KEYS[2] outbox   stream, the events that wait to be recorded
-- KEYS[3] journal  hash, what was done besides issuing
-- KEYS[4] log      sorted set, events by their sequence, until they are recorded
-- KEYS[5] version  string, changed whenever units may have become available
-- ARGV[1] epoch     highest the caller has seen, 0..10^12
-- ARGV[2] seen      highest sequence of that epoch the caller has seen, 0..2^53
-- ARGV[3] request   which request
-- ARGV[4] token     of this call: the same token again gets the first answer
-- ARGV[5] quantity  units, 1..10^12
-- ARGV[6] max       most units left, 10^12
-- Returns {0, seq, left, epoch} added; {1} no pool; {2} fenced; {3, epoch, seq} went back in time; {4} corrupt; {6, seq,
--         quantity} this request added before; {7, left} more than max would be left; all but 0 changed nothing
-- Cost    O(1)
-- Retry   safe: by request
local meta, outbox, journal, log, version = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local request, token, quantity = ARGV[3], ARGV[4], ARGV[5]
local m = redis.call('HMGET', meta, 'epoch', 'seq', 'left', 'state', 'version')
if not m[1] then
  return {1}
end
local epoch, seq, left, again = tonumber(m[1]), tonumber(m[2]), tonumber(m[3]), tonumber(m[5])
if not (epoch and seq and left and again) or left ~= math.floor(left) then
  return {4}
end
if epoch < tonumber(ARGV[1]) or epoch == tonumber(ARGV[1]) and seq < tonumber(ARGV[2]) then
  return {3, m[1], m[2]}
elseif m[4] ~= 'open' then
  return {2}
end
local before = redis.call('HGET', journal, 'restock:' .. request)
if before then
  local at, units, rest, by = string.match(before, '^(%d+)\t(%d+)\t(%d+)\t(%x+)$')
  return by == token and {0, at, rest, m[1]} or {6, at, units}
elseif left + tonumber(quantity) > tonumber(ARGV[6]) then
  return {7, m[3]}
end
redis.call('ZCARD', log)

local time = redis.call('TIME')
local next, rest = string.format('%.0f', seq + 1), string.format('%.0f', left + tonumber(quantity))
local head = string.format('S %s %s %.0f', m[1], next, time[1] * 1000000 + time[2])
local data = quantity .. '\t' .. request
again = string.format('%.0f', again + 1)
redis.call('XADD', outbox, '*', 'h', head, 'd', data)
redis.call('HSET', journal, 'restock:' .. request, table.concat({next, quantity, rest, token}, '\t'))
redis.call('ZADD', log, next, head .. '\n' .. data)
redis.call('HSET', meta, 'seq', next, 'left', rest, 'version', again)
redis.call('SET', version, again .. ':' .. token)
return {0, next, rest, m[1]}
