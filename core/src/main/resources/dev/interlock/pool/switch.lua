#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Opens the epoch that a pool is sealed for, with the claims that were loaded; removes what was before.
--
-- KEYS[1] meta      hash, the state of the pool
-- KEYS[2] claims    hash, who holds which unit
-- KEYS[3] outbox    stream, the events that wait to be recorded
-- KEYS[4] journal   hash, events that are not claims
-- KEYS[5] version   string, changed whenever units may have become available
-- KEYS[6] prepared  hash, the claims of the next epoch
-- KEYS[7] holds      hash, a record of each hold
-- KEYS[8] deadlines  sorted set, when each held one ends
-- KEYS[9] log        sorted set, the events of holds by their sequence, until they are recorded
-- KEYS[10] ended     sorted set, when the record of each ended hold may go
-- KEYS[11] outgoing  hash, the open transfer to each other shard
-- KEYS[12] incoming  hash, the latest transfer from each other shard: "epoch SPACE sequence"
-- ARGV[1] token     of this call
-- ARGV[2] epoch     the epoch, 2..10^12
-- ARGV[3] seq       number of the event that creates it, which is recorded, 0..10^14
-- ARGV[4] left      units, 0..10^12
-- ARGV[5] limit     units a user, 1..100
-- ARGV[6] opens     first open moment, microseconds since 1970
-- ARGV[7] closes    first moment after, microseconds since 1970
-- ARGV[8] users     how many hold a unit
-- ARGV[9..] number of another shard and "epoch SPACE sequence" in turn: up to where the units that it sent are in, at most 255
-- Returns {0} opened, now or before; {1} not sealed for that epoch; {2} not all users are loaded
-- Cost    O(shards), and the removal in the background
-- Retry   safe: by epoch
local meta, claims, outbox, journal, version, prepared = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local token, epoch, seq, left, limit = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local opens, closes, users = ARGV[6], ARGV[7], tonumber(ARGV[8])

local m = redis.call('HMGET', meta, 'epoch', 'seal', 'version')
if m[1] == epoch then
  return {0}
end
if m[2] ~= epoch then
  return {1}
end
if redis.call('HLEN', prepared) ~= users then
  return {2}
end
local again = string.format('%.0f', tonumber(m[3]) + 1)
redis.call('UNLINK', meta, claims, outbox, journal, KEYS[7], KEYS[8], KEYS[9], KEYS[10], KEYS[11], KEYS[12])
if #ARGV > 8 then
  redis.call('HSET', KEYS[12], unpack(ARGV, 9, math.min(#ARGV, 518)))
end
if users > 0 then
  redis.call('RENAME', prepared, claims)
  redis.call('PERSIST', claims)
end
redis.call('HSET', meta, 'token', token, 'epoch', epoch, 'total', left, 'left', left, 'seq', seq, 'limit', limit,
  'opens', opens, 'closes', closes, 'state', 'open', 'version', again, 'adjusted', '0')
redis.call('SET', version, again .. ':' .. token)
return {0}
