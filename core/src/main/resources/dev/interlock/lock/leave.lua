#!lua flags=allow-oom
-- SPDX-License-Identifier: Apache-2.0
-- Gives back a permit of a semaphore or a read-write lock, or a place in its queue, and wakes who is next.
--
-- KEYS[1] holders  as in enter.lua
-- KEYS[2] queue    as in enter.lua
-- KEYS[3] waiters  as in enter.lua
-- ARGV[1] token    whose
-- ARGV[2] alive    a waiter whose beat is older is dead, microseconds
-- Returns {0} given back; {1} the token held nothing any more
-- Cost    O(log holders + length of the queue)
-- Retry   unsafe: a repetition cannot tell that the first one gave back; the caller repeats in the background instead
local holders, queue, waiters, token, alive = KEYS[1], KEYS[2], KEYS[3], ARGV[1], tonumber(ARGV[2])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local ends = redis.call('ZSCORE', holders, 'r' .. token) or redis.call('ZSCORE', holders, 'w' .. token)
local left = redis.call('LLEN', queue) - redis.call('LREM', queue, 0, token)
redis.call('HDEL', waiters, token)
redis.call('ZREM', holders, 'r' .. token, 'w' .. token)
-- Neither key is touched after its last entry has gone: while its slot moves, that would end the script half-way.
for _ = 1, math.min(left, 64) do
  local head = redis.call('LINDEX', queue, 0)
  local beat, at = string.match(head and redis.call('HGET', waiters, head) or '', '^(%d+)\t(.+)$')
  if beat and now - tonumber(beat) < alive then
    redis.call('PUBLISH', at, head)
    break
  end
  redis.call('HDEL', waiters, redis.call('LPOP', queue))
end
return { ends and tonumber(ends) > now and 0 or 1 }
