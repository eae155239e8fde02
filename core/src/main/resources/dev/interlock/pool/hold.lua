#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Holds units for a user until a deadline, all or none. Checks in this order: this request, this user, times, units left.
-- A hold is "status TAB token TAB quantity TAB deadline TAB sequence TAB user TAB request": H held, C confirmed, X
-- cancelled, E expired, with the sequence of the event that made it so. While it is held, each of its units is a claim line
-- "nth TAB sequence TAB SPACE h key", which no request id can look like.
--
-- KEYS[1] meta       hash, the state of the pool
-- KEYS[2] claims     hash, who holds which unit
-- KEYS[3] outbox     stream, the events that wait to be recorded
-- KEYS[4] holds      hash, a record of each hold
-- KEYS[5] deadlines  sorted set, when each held one ends
-- KEYS[6] log        sorted set, the events of holds by their sequence, until they are recorded
-- ARGV[1] epoch     highest the caller has seen, 0..10^12
-- ARGV[2] seen      highest sequence of that epoch the caller has seen, 0..2^53
-- ARGV[3] key       of the hold, by user and request, 32 hex digits
-- ARGV[4] token     of this call, 16 hex digits
-- ARGV[5] user      who
-- ARGV[6] request   which request
-- ARGV[7] quantity  units, 1..100
-- ARGV[8] ttl       microseconds
-- Returns {0, seq, left, deadline, epoch} held; {1} no pool; {2} fenced; {3, epoch, seq} went back in time; {4} corrupt;
--         {5} sweep expired holds first; {6, hold} this request held before; {7, opens} not open; {8} closed; {9, units} the
--         limit allows no more beside the units of this user; {10, left} too few left; all but 0 changed nothing
-- Cost    O(limit), at most 100
-- Retry   safe: by user and request
local meta, claims, outbox, holds, deadlines, log = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local key, token, user, request, quantity = ARGV[3], ARGV[4], ARGV[5], ARGV[6], tonumber(ARGV[7])
local m = redis.call('HMGET', meta, 'epoch', 'seq', 'left', 'limit', 'opens', 'closes', 'state', 'held')
if not m[1] then
  return {1}
end
local epoch, seq, left, limit = tonumber(m[1]), tonumber(m[2]), tonumber(m[3]), tonumber(m[4])
local opens, closes = tonumber(m[5]), tonumber(m[6])
if not (epoch and seq and left and limit and opens and closes) or left ~= math.floor(left) then
  return {4}
end
if epoch < tonumber(ARGV[1]) or epoch == tonumber(ARGV[1]) and seq < tonumber(ARGV[2]) then
  return {3, m[1], m[2]}
elseif m[7] ~= 'open' then
  return {2}
end
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local deadline = string.format('%.0f', now + tonumber(ARGV[8]))
local first = redis.call('ZRANGE', deadlines, 0, 0, 'WITHSCORES')
local due = first[2] and tonumber(first[2]) <= now

local known = redis.call('HGET', holds, key)
if known and string.sub(known, 1, 19) == 'H\t' .. token .. '\t' then
  local _, ends, at = string.match(known, '^H\t%x+\t(%d+)\t(%d+)\t(%d+)\t')
  return {0, at, m[3], ends, m[1]}
elseif known then
  return due and {5} or {6, known}
end
local claim = redis.call('HGET', claims, user) or ''
local units = select(2, string.gsub(claim, '\n', ''))
if units + quantity > limit then
  return due and string.find(claim, '\t h', 1, true) and {5} or {9, units}
elseif now < opens or now >= closes then
  return now < opens and {7, m[5]} or {8}
elseif left < quantity then
  return due and {5} or {10, m[3]}
end
redis.call('ZCARD', log)

local next, rest = string.format('%.0f', seq + 1), string.format('%.0f', left - quantity)
for nth = 1, limit do
  if quantity > 0 and not string.find('\n' .. claim, '\n' .. nth .. '\t', 1, true) then
    claim, quantity = claim .. nth .. '\t' .. next .. '\t h' .. key .. '\n', quantity - 1
  end
end
local head = string.format('H %s %s %.0f', m[1], next, now)
local data = table.concat({key .. '-' .. token, ARGV[7], deadline, user, request}, '\t')
redis.call('XADD', outbox, '*', 'h', head, 'd', data)
redis.call('HSET', claims, user, claim)
redis.call('HSET', holds, key, table.concat({'H', token, ARGV[7], deadline, next, user, request}, '\t'))
redis.call('ZADD', deadlines, deadline, key)
redis.call('ZADD', log, next, head .. '\n' .. data)
redis.call('HSET', meta, 'seq', next, 'left', rest, 'held', string.format('%.0f', (tonumber(m[8]) or 0) + ARGV[7]))
return {0, next, rest, deadline, m[1]}
