#!lua flags=allow-oom
-- SPDX-License-Identifier: Apache-2.0
-- Turns the permit to write into one to read, and wakes who is next. The lease goes on as it is.
--
-- KEYS[1] holders  as in enter.lua
-- KEYS[2] queue    as in enter.lua
-- KEYS[3] waiters  as in enter.lua
-- ARGV[1] token    whose
-- Returns {0} it reads now, also if it did before; {1} the token holds nothing any more
-- Cost    O(1)
-- Retry   safe
local holders, queue, waiters, token = KEYS[1], KEYS[2], KEYS[3], ARGV[1]
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local writes, reads = redis.call('ZSCORE', holders, 'w' .. token), redis.call('ZSCORE', holders, 'r' .. token)
local ends = writes or reads
if not ends or tonumber(ends) <= now then
  return { 1 }
end
local head = redis.call('LINDEX', queue, 0)
local at = string.match(head and redis.call('HGET', waiters, head) or '', '^%d+\t(.+)$')
if writes then
  redis.call('ZADD', holders, writes, 'r' .. token)
  redis.call('ZREM', holders, 'w' .. token)
end
if at then
  redis.call('PUBLISH', at, head)
end
return { 0 }
