#!lua flags=allow-oom
-- SPDX-License-Identifier: Apache-2.0
-- Gives the units of a hold back. Works while Redis is out of memory. A hold looks as in hold.lua.
--
-- KEYS[1] meta       hash, the state of the pool
-- KEYS[2] claims     hash, who holds which unit
-- KEYS[3] outbox     stream, the events that wait to be recorded
-- KEYS[4] holds      hash, a record of each hold
-- KEYS[5] deadlines  sorted set, when each held one ends
-- KEYS[6] log        sorted set, the events of holds by their sequence, until they are recorded
-- KEYS[7] ended      sorted set, when the record of each ended hold may go
-- KEYS[8] version    string, changed whenever units may have become available
-- ARGV[1] epoch  highest the caller has seen, 0..10^12
-- ARGV[2] seen   highest sequence of that epoch the caller has seen, 0..2^53
-- ARGV[3] key    of the hold, 32 hex digits
-- ARGV[4] token  of the hold, 16 hex digits
-- ARGV[5] keep   how long the record of an ended hold is kept, microseconds
-- Returns {0, seq, epoch, last} cancelled by event seq, now or before, last event of the pool; {1} no pool; {2} fenced; {3,
--         epoch, seq} went back in time; {4} corrupt; {6} no such hold; {7, status} confirmed or expired; only 0 changes
-- Cost    O(units of the user), at most 100
-- Retry   safe: by hold
local meta, claims, outbox, holds, deadlines, log, ended = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local version, key, token = KEYS[8], ARGV[3], ARGV[4]
local m = redis.call('HMGET', meta, 'epoch', 'seq', 'left', 'state', 'held', 'version')
if not m[1] then
  return {1}
end
local epoch, seq, left, held, again = tonumber(m[1]), tonumber(m[2]), tonumber(m[3]), tonumber(m[5] or 0), tonumber(m[6])
if not (epoch and seq and left and held and again) or left ~= math.floor(left) then
  return {4}
end
if epoch < tonumber(ARGV[1]) or epoch == tonumber(ARGV[1]) and seq < tonumber(ARGV[2]) then
  return {3, m[1], m[2]}
elseif m[4] ~= 'open' then
  return {2}
end
local record = redis.call('HGET', holds, key) or ''
local pattern = '^(%u)\t' .. token .. '\t(%d+)\t(%d+)\t(%d+)\t([^\t]*)\t([^\t]*)$'
local status, text, deadline, at, user, request = string.match(record, pattern)
if status == 'X' then
  return {0, at, m[1], m[2]}
elseif status ~= 'H' then
  return status and {7, status} or {6}
end
local claim = redis.call('HGET', claims, user) or ''
redis.call('ZCARD', deadlines)
redis.call('ZCARD', log)
redis.call('ZCARD', ended)

local time = redis.call('TIME')
local now, next = time[1] * 1000000 + time[2], string.format('%.0f', seq + 1)
local head, data = string.format('X %s %s %.0f', m[1], next, now), key .. '-' .. token .. '\t' .. text .. '\n'
again = string.format('%.0f', again + 1)
claim = string.gsub(claim, '%d+\t%d+\t h' .. key .. '\n', '')
redis.call('XADD', outbox, '*', 'h', head, 'd', data)
if claim == '' then
  redis.call('HDEL', claims, user)
else
  redis.call('HSET', claims, user, claim)
end
redis.call('HSET', holds, key, table.concat({'X', token, text, deadline, next, user, request}, '\t'))
redis.call('ZREM', deadlines, key)
redis.call('ZADD', ended, string.format('%.0f', now + tonumber(ARGV[5])), key)
redis.call('ZADD', log, next, head .. '\n' .. data)
redis.call('HSET', meta, 'seq', next, 'left', string.format('%.0f', left + tonumber(text)), 'held',
  string.format('%.0f', held - tonumber(text)), 'version', again)
redis.call('SET', version, again .. ':' .. token)
return {0, next, m[1], next}
