#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Makes the units of a hold issued units. Of a hold that has expired it takes as many again, if there are.
-- A hold and its claim lines look as in hold.lua; confirmed units have "SPACE c key" for their request.
--
-- KEYS[1] meta       hash, the state of the pool
-- KEYS[2] claims     hash, who holds which unit
-- KEYS[3] outbox     stream, the events that wait to be recorded
-- KEYS[4] holds      hash, a record of each hold
-- KEYS[5] deadlines  sorted set, when each held one ends
-- KEYS[6] log        sorted set, the events of holds by their sequence, until they are recorded
-- KEYS[7] ended      sorted set, when the record of each ended hold may go
-- ARGV[1] epoch  highest the caller has seen, 0..10^12
-- ARGV[2] seen   highest sequence of that epoch the caller has seen, 0..2^53
-- ARGV[3] key    of the hold, 32 hex digits
-- ARGV[4] token  of the hold, 16 hex digits
-- ARGV[5] keep   how long the record of an ended hold is kept, microseconds
-- Returns {0, first seq, quantity, epoch, seq} confirmed, now or before; {1} no pool; {2} fenced; {3, epoch, seq} went back
--         in time; {4} corrupt; {5} sweep expired holds first; {6} no such hold; {7} cancelled; {8} expired and the pool is
--         closed; {9, units} expired and the limit allows no more; {10, left} expired and too few left; only 0 changes
-- Cost    O(limit), at most 100
-- Retry   safe: by hold
local meta, claims, outbox, holds, deadlines, log, ended = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local key, token = ARGV[3], ARGV[4]
local m = redis.call('HMGET', meta, 'epoch', 'seq', 'left', 'limit', 'closes', 'state', 'held')
if not m[1] then
  return {1}
end
local epoch, seq, left, limit, held = tonumber(m[1]), tonumber(m[2]), tonumber(m[3]), tonumber(m[4]), tonumber(m[7] or 0)
if not (epoch and seq and left and limit and held and tonumber(m[5])) or left ~= math.floor(left) then
  return {4}
end
if epoch < tonumber(ARGV[1]) or epoch == tonumber(ARGV[1]) and seq < tonumber(ARGV[2]) then
  return {3, m[1], m[2]}
elseif m[6] ~= 'open' then
  return {2}
end
local record = redis.call('HGET', holds, key) or ''
local pattern = '^(%u)\t' .. token .. '\t(%d+)\t(%d+)\t(%d+)\t([^\t]*)\t([^\t]*)$'
local status, text, deadline, at, user, request = string.match(record, pattern)
if status == 'C' then
  return {0, at, text, m[1], m[2]}
elseif not status or status == 'X' then
  return status and {7} or {6}
end
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local first = redis.call('ZRANGE', deadlines, 0, 0, 'WITHSCORES')
local due = first[2] and tonumber(first[2]) <= now
local claim, quantity, delta = redis.call('HGET', claims, user) or '', tonumber(text), '0'
if status == 'E' then
  local units = select(2, string.gsub(claim, '\n', ''))
  if units + quantity > limit or left < quantity or now >= tonumber(m[5]) then
    return due and {5} or now >= tonumber(m[5]) and {8} or left < quantity and {10, m[3]} or {9, units}
  end
  delta, left, held = '-1', left - quantity, held + quantity
  for nth = 1, limit do
    if quantity > 0 and not string.find('\n' .. claim, '\n' .. nth .. '\t', 1, true) then
      claim, quantity = claim .. nth .. '\t0\t h' .. key .. '\n', quantity - 1
    end
  end
elseif tonumber(deadline) <= now then
  return {5}
end
local _ = redis.call('ZCARD', log) + redis.call('ZCARD', ended)

local units, next = {}, string.format('%.0f', seq + 1)
claim = string.gsub(claim, '(%d+)\t%d+\t h' .. key .. '\n', function(nth)
  seq, units[#units + 1] = seq + 1, nth
  return string.format('%s\t%.0f\t c%s\n', nth, seq, key)
end)
local head = string.format('K %s %s %.0f', m[1], next, now)
local data = table.concat({key .. '-' .. token, delta, user, request, table.concat(units, ' ')}, '\t')
redis.call('XADD', outbox, '*', 'h', head, 'd', data)
redis.call('HSET', claims, user, claim)
redis.call('HSET', holds, key, table.concat({'C', token, text, deadline, next, user, request}, '\t'))
redis.call('ZREM', deadlines, key)
redis.call('ZADD', ended, string.format('%.0f', now + tonumber(ARGV[5])), key)
redis.call('ZADD', log, next, head .. '\n' .. data)
local last, rest = string.format('%.0f', seq), string.format('%.0f', left)
redis.call('HSET', meta, 'seq', last, 'left', rest, 'held', string.format('%.0f', held - tonumber(text)))
return {0, next, text, m[1], last}
