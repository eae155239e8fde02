#!lua flags=no-writes
-- SPDX-License-Identifier: Apache-2.0
-- Reads what one shard has and what is under way from it and to it.
--
-- KEYS[1] meta       hash, the state of the shard
-- KEYS[2] claims     hash, who holds which unit
-- KEYS[3] deadlines  sorted set, when each held hold ends
-- KEYS[4] outgoing   hash, the open transfer to each other shard: "epoch SPACE sequence SPACE quantity" of the event that sent it
-- KEYS[5] incoming   hash, the latest transfer from each other shard: "epoch SPACE sequence"
-- Returns {0, epoch, seq, left, held, users, fenced, due holds 0 or 1, fields of outgoing, then all fields of outgoing and
--         incoming, each with its value}; or {1} no such shard
-- Cost    O(shards)
local meta, claims, deadlines, outgoing, incoming = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local m = redis.call('HMGET', meta, 'epoch', 'seq', 'left', 'held', 'state')
if not m[1] then
  return {1}
end
local time = redis.call('TIME')
local first = redis.call('ZRANGE', deadlines, 0, 0, 'WITHSCORES')
local due = first[2] and tonumber(first[2]) <= time[1] * 1000000 + time[2]
local users = redis.call('HLEN', claims)
local sent, came = redis.call('HGETALL', outgoing), redis.call('HGETALL', incoming)
local reply = {0, m[1], m[2], m[3], m[4] or 0, users, m[5] == 'open' and 0 or 1, due and 1 or 0, #sent / 2}
for i = 1, #sent do
  reply[#reply + 1] = sent[i]
end
for i = 1, #came do
  reply[#reply + 1] = came[i]
end
return reply
