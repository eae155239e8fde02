#!lua flags=allow-oom
-- SPDX-License-Identifier: Apache-2.0
-- Takes units in that another shard has sent, each transfer once. The transfers of one shard come in the order of their
-- numbers, because it has one open at a time; so what is not later than the latest was taken in before.
--
-- KEYS[1] meta      hash, the state of the shard
-- KEYS[2] outbox    stream, the events that wait to be recorded
-- KEYS[3] log       sorted set, events by their sequence, until they are recorded
-- KEYS[4] incoming  hash, the latest transfer from each other shard: "epoch SPACE sequence"
-- KEYS[5] version   string, changed whenever units may have become available
-- ARGV[1] epoch     highest the caller has seen, 0..10^12
-- ARGV[2] seen      highest sequence of that epoch the caller has seen, 0..2^53
-- ARGV[3] from      number of the other shard
-- ARGV[4] life      its epoch when it sent them, 1..10^12
-- ARGV[5] number    sequence of the event that sent them, 1..2^53
-- ARGV[6] quantity  units, 1..10^12
-- Returns {0} taken in, now or before; {1} no such shard; {2} fenced; {3, epoch, seq} went back in time; {4} corrupt
-- Cost    O(1)
-- Retry   safe: by transfer
local meta, outbox, log, incoming, version = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local from, life, number, quantity = ARGV[3], ARGV[4], ARGV[5], ARGV[6]
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
local last, at = string.match(redis.call('HGET', incoming, from) or '0 0', '^(%d+) (%d+)$')
last, at = tonumber(last), tonumber(at)
if last > tonumber(life) or last == tonumber(life) and at >= tonumber(number) then
  return {0}
end
redis.call('ZCARD', log)

local time = redis.call('TIME')
local next, rest = string.format('%.0f', seq + 1), string.format('%.0f', left + tonumber(quantity))
local head = string.format('N %s %s %.0f', m[1], next, time[1] * 1000000 + time[2])
local data = table.concat({quantity, from, life, number}, '\t')
again = string.format('%.0f', again + 1)
redis.call('XADD', outbox, '*', 'h', head, 'd', data)
redis.call('HSET', incoming, from, life .. ' ' .. number)
redis.call('ZADD', log, next, head .. '\n' .. data)
redis.call('HSET', meta, 'seq', next, 'left', rest, 'version', again)
redis.call('SET', version, again .. ':' .. from)
return {0}
