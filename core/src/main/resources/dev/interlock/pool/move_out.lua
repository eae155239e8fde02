#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Sends units to another shard: they leave this one, and are under way until settle.lua is told that they arrived. Only one
-- transfer to each shard is open at a time; while one is, it is the answer.
--
-- KEYS[1] meta      hash, the state of the shard
-- KEYS[2] outbox    stream, the events that wait to be recorded
-- KEYS[3] log       sorted set, events by their sequence, until they are recorded
-- KEYS[4] outgoing  hash, the open transfer to each other shard: "epoch SPACE sequence SPACE quantity"
-- ARGV[1] epoch  highest the caller has seen, 0..10^12
-- ARGV[2] seen   highest sequence of that epoch the caller has seen, 0..2^53
-- ARGV[3] to     number of the other shard
-- ARGV[4] need   units wanted there; half of what is left is sent if that is more, 1..100
-- Returns {0, transfer} open; {1} no such shard; {2} fenced; {3, epoch, seq} went back in time; {4} corrupt; {7} none left
-- Cost    O(1)
-- Retry   safe: by the open transfer
local meta, outbox, log, outgoing = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local to, need = ARGV[3], tonumber(ARGV[4])
local m = redis.call('HMGET', meta, 'epoch', 'seq', 'left', 'state')
if not m[1] then
  return {1}
end
local epoch, seq, left = tonumber(m[1]), tonumber(m[2]), tonumber(m[3])
if not (epoch and seq and left) or left ~= math.floor(left) then
  return {4}
end
if epoch < tonumber(ARGV[1]) or epoch == tonumber(ARGV[1]) and seq < tonumber(ARGV[2]) then
  return {3, m[1], m[2]}
elseif m[4] ~= 'open' then
  return {2}
end
local open = redis.call('HGET', outgoing, to)
if open then
  return {0, open}
elseif left <= 0 then
  return {7}
end
redis.call('ZCARD', log)

local quantity = math.min(left, math.max(need, math.ceil(left / 2)))
local time = redis.call('TIME')
local next, units = string.format('%.0f', seq + 1), string.format('%.0f', quantity)
local head = string.format('O %s %s %.0f', m[1], next, time[1] * 1000000 + time[2])
local data, transfer = units .. '\t' .. to, m[1] .. ' ' .. next .. ' ' .. units
redis.call('XADD', outbox, '*', 'h', head, 'd', data)
redis.call('HSET', outgoing, to, transfer)
redis.call('ZADD', log, next, head .. '\n' .. data)
redis.call('HSET', meta, 'seq', next, 'left', string.format('%.0f', left - quantity))
return {0, transfer}
