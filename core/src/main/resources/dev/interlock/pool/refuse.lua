#!lua flags=allow-oom
-- SPDX-License-Identifier: Apache-2.0
-- Makes a shard refuse the units that another shard sent before a point, as if they had come before: that shard is rebuilt,
-- and its record says what becomes of them.
--
-- KEYS[1] meta      hash, the state of the shard
-- KEYS[2] incoming  hash, the latest transfer from each other shard: "epoch SPACE sequence"
-- ARGV[1] from      number of the other shard
-- ARGV[2] life      epoch of the point, 1..10^12
-- ARGV[3] number    its sequence, 0..2^53
-- Returns {0, epoch, seq} refused from now on, and the latest event of this shard; {1} no such shard, or it is itself prepared
--         for its next epoch
-- Cost    O(1)
-- Retry   safe: the later point stays
local meta, incoming = KEYS[1], KEYS[2]
local from, life, number = ARGV[1], ARGV[2], ARGV[3]

local m = redis.call('HMGET', meta, 'epoch', 'seq', 'seal')
if not m[1] or m[3] then
  return {1}
end
local last, at = string.match(redis.call('HGET', incoming, from) or '0 0', '^(%d+) (%d+)$')
last, at = tonumber(last), tonumber(at)
if last < tonumber(life) or last == tonumber(life) and at < tonumber(number) then
  redis.call('HSET', incoming, from, life .. ' ' .. number)
end
return {0, m[1], m[2]}
