#!lua flags=allow-oom
-- SPDX-License-Identifier: Apache-2.0
-- Deletes a pool that is closed and recorded. Its last event says so, and a mark keeps its epoch from being used again.
--
-- KEYS[1] meta       hash, the state of the pool
-- KEYS[2] claims     hash, who holds which unit
-- KEYS[3] outbox     stream, the events that wait to be recorded
-- KEYS[4] holds      hash, a record of each hold
-- KEYS[5] deadlines  sorted set, when each held one ends
-- KEYS[6] log        sorted set, events by their sequence, until they are recorded
-- KEYS[7] ended      sorted set, when the record of each ended hold may go
-- KEYS[8] journal    hash, what was done besides issuing
-- KEYS[9] version    string, changed whenever answers may have become other ones
-- KEYS[10] outgoing  hash, open transfers to other shards
-- KEYS[11] incoming  hash, the latest transfer from each other shard
-- KEYS[12] recorded  string, the latest recorded event
-- ARGV[1] epoch  life of the pool that is meant, 1..10^12
-- ARGV[2] token  of this call: the same token again gets the first answer
-- Returns {0, seq} dropped; {1} no such pool in this epoch; {2} fenced; {6, closes} still open; {7, holds} so many holds
--         live; {8, entries} so many entries are not recorded; {9, transfers} so many are open; all but 0
--         changed nothing
-- Cost    O(1), what is deleted is freed in the background
-- Retry   safe: by token
local meta, claims, outbox, holds, deadlines, log, ended = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local journal, version, outgoing, incoming, recorded = KEYS[8], KEYS[9], KEYS[10], KEYS[11], KEYS[12]
local epoch, token = ARGV[1], ARGV[2]
local m = redis.call('HMGET', meta, 'epoch', 'seq', 'left', 'closes', 'state', 'dropped', 'token')
if m[6] == epoch and m[7] == token then
  return {0, m[2]}
elseif m[1] ~= epoch then
  return {1}
elseif m[5] ~= 'open' then
  return {2}
end
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local living, entries = redis.call('ZCARD', deadlines), redis.call('XLEN', outbox)
if now < tonumber(m[4]) then
  return {6, m[4]}
elseif living > 0 then
  return {7, living}
elseif entries > 0 then
  return {8, entries}
elseif redis.call('HLEN', outgoing) > 0 then
  return {9, redis.call('HLEN', outgoing)}
end

local next = string.format('%.0f', m[2] + 1)
redis.call('XADD', outbox, '*', 'h', string.format('D %s %s %.0f', epoch, next, now), 'd', m[3])
redis.call('UNLINK', meta, claims, holds, deadlines, log, ended, journal, outgoing, incoming, recorded)
redis.call('HSET', meta, 'dropped', epoch, 'seq', next, 'token', token)
redis.call('SET', version, 'dropped:' .. token)
return {0, next}
