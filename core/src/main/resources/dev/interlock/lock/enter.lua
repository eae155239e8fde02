#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Asks for a permit of a semaphore or a read-write lock: granted while there is room and nobody waits ahead; one's own is
-- granted again; who waits takes his place in the queue and shows that he lives. Times are those of this server only.
--
-- KEYS[1] holders  sorted set, "r" (shared) or "w" (alone) and token to the end of the lease in microseconds
-- KEYS[2] fence    string, the last fence
-- KEYS[3] queue    list of tokens, first come first
-- KEYS[4] waiters  hash, token to "beat TAB channel"
-- ARGV[1] token    who asks, 32 hex digits
-- ARGV[2] lease    milliseconds, 10..86400000
-- ARGV[3] kind     "r" to share, "w" to be alone
-- ARGV[4] places   most holders that share, 1..1000000
-- ARGV[5] mode     "once", "barge" (ahead of those who wait) or "queue"
-- ARGV[6] channel  where to wake the asking JVM
-- ARGV[7] alive    a waiter whose beat is older is dead, microseconds
-- ARGV[8] memory   how long the last fence is kept, milliseconds
-- ARGV[9] patience how long a queue without beats is kept, milliseconds
-- Returns {0, fence} granted; {1, milliseconds to the end of the next lease} refused; {2} the holders never expire;
--         {3} the last fence is no whole number; nothing was changed by the last two
-- Cost    O(log holders), and once for each lapsed lease and dead waiter
-- Retry   safe: by token
local holders, fence, queue, waiters = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local token, lease, kind, places, mode, channel = ARGV[1], tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4]), ARGV[5], ARGV[6]
local alive, memory, patience = tonumber(ARGV[7]), ARGV[8], ARGV[9]
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local stamp = string.format('%.0f', now)

-- The first waiter that lives, and his channel. Dead ones before him leave the queue, at most 16.
-- No key is touched after its last entry has gone: while its slot moves to another node, that would end the script half-way.
local length = redis.call('LLEN', queue)
local function first()
  for _ = 1, math.min(length, 16) do
    local head = redis.call('LINDEX', queue, 0)
    local beat, at = string.match(head and redis.call('HGET', waiters, head) or '', '^(%d+)\t(.+)$')
    if beat and now - tonumber(beat) < alive then return head, at end
    redis.call('HDEL', waiters, redis.call('LPOP', queue))
    length = length - 1
  end
  return length > 0 and ''
end

-- Every key is read before the first write: one of another type ends the script here.
local mine = redis.call('ZSCORE', holders, kind .. token)
local last = redis.call('GET', fence) or '0'
redis.call('HLEN', waiters)
if redis.call('PTTL', holders) == -1 then
  return { 2 }
end
if not string.match(last, '^%d+$') then
  return { 3 }
end
mine = mine and tonumber(mine) > now and tonumber(mine)
local held, next_out = redis.call('ZCOUNT', holders, '(' .. stamp, '+inf'),
  redis.call('ZRANGE', holders, '(' .. stamp, '+inf', 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES')
local room = held == 0 or (kind == 'r' and held < places and string.sub(next_out[1], 1, 1) == 'r')
local ahead = not mine and mode ~= 'barge' and first()
if mine or (room and (not ahead or ahead == token)) then
  local value = string.format('%.0f', math.max(tonumber(last) + 1, now))
  redis.call('ZADD', holders, string.format('%.0f', math.max(mine or 0, now + lease * 1000)), kind .. token)
  redis.call('ZREMRANGEBYSCORE', holders, '-inf', stamp)
  if redis.call('PTTL', holders) < lease then
    redis.call('PEXPIRE', holders, lease)
  end
  redis.call('SET', fence, value, 'PX', memory)
  length = length - redis.call('LREM', queue, 1, token)
  redis.call('HDEL', waiters, token)
  local head, at = first()
  if at and kind == 'r' then
    redis.call('PUBLISH', at, head)
  end
  return { 0, value }
end
if mode == 'queue' then
  if redis.call('HSET', waiters, token, stamp .. '\t' .. channel) == 1 then
    redis.call('RPUSH', queue, token)
  end
  redis.call('PEXPIRE', queue, patience)
  redis.call('PEXPIRE', waiters, patience)
end
return { 1, next_out[2] and math.ceil((tonumber(next_out[2]) - now) / 1000) or 0 }
