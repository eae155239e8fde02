#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Acquires several locks, all or none: each must be free, with nobody alive waiting for it, or belong to its token already.
--
-- KEYS[1..] four a lock: lock, fence, queue, waiters, as in acquire.lua
-- ARGV[1] owner   as in acquire.lua
-- ARGV[2] room    fences of one grant, 1..10^6
-- ARGV[3] alive   a waiter whose beat is older is dead, microseconds
-- ARGV[4] memory  how long the last fence is kept, milliseconds
-- ARGV[5] lease   milliseconds, 10..86400000
-- ARGV[6..] a token for each lock; at most 64
-- Returns {0, then for each lock its first fence} granted; {1} refused; {2, number of the lock} its key never expires;
--         {3, number of the lock} its last fence is no whole number; all but the first changed nothing
-- Cost    O(locks), and once for each dead waiter, at most 16 a lock
-- Retry   safe: by token
local owner, room, alive, memory, lease = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], tonumber(ARGV[5])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local stamp = string.format('%.0f', now)

local function somebody_waits(queue, waiters)
  for _, token in ipairs(redis.call('LRANGE', queue, 0, 15)) do
    local beat = string.match(redis.call('HGET', waiters, token) or '', '^%d+')
    if beat and now - tonumber(beat) < alive then
      return true
    end
  end
  return redis.call('HLEN', waiters) > 16
end

local last, free = {}, true
for i = 1, #KEYS / 4 do
  local lock, fence, token = KEYS[i * 4 - 3], KEYS[i * 4 - 2], ARGV[i + 5]
  local held = redis.call('GET', lock)
  local mine = held and string.sub(held, 1, #token + 1) == token .. '\t'
  last[i] = redis.call('GET', fence) or '0'
  local waits = somebody_waits(KEYS[i * 4 - 1], KEYS[i * 4])
  if redis.call('PTTL', lock) == -1 then
    return { 2, i }
  elseif not string.match(last[i], '^%d+$') then
    return { 3, i }
  end
  free = free and (mine or not (held or waits))
end
if not free then
  return { 1 }
end
local reply = { 0 }
for i = 1, #KEYS / 4 do
  local lock, token = KEYS[i * 4 - 3], ARGV[i + 5]
  local text = string.format('%.0f', math.max(tonumber(last[i]) + room, now))
  local ttl = math.max(redis.call('PTTL', lock), lease)
  redis.call('SET', lock, token .. '\t' .. text .. '\t' .. stamp .. '\t' .. owner, 'PX', ttl)
  redis.call('SET', KEYS[i * 4 - 2], text, 'PX', memory)
  reply[i + 1] = text
end
return reply
