#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Writes a value only if no larger fence has written before: the resource's half of a lock, on Redis.
--
-- KEYS[1] value  string, what is guarded
-- KEYS[2] fence  string, the largest fence that has written; in the slot of the value
-- ARGV[1] fence  of the writer's lease, 1..2^53-1
-- ARGV[2] value  new value, or empty with ARGV[3] "delete"
-- ARGV[3] action "set", "delete" or "check" (notes the fence only)
-- Returns {0} done; {1, the larger fence} refused, nothing was changed; {2} the stored fence is no fence, nothing was changed
-- Cost    O(1)
-- Retry   safe: by fence and value
local value, fence, mine, new, action = KEYS[1], KEYS[2], tonumber(ARGV[1]), ARGV[2], ARGV[3]
local last = redis.call('GET', fence) or '0'
local stored = string.match(last, '^%d+$') and #last <= 16 and tonumber(last)
if not stored then
  return { 2 }
elseif stored > mine then
  return { 1, last }
end
if action ~= 'check' then
  redis.call('STRLEN', value)
end
redis.call('SET', fence, ARGV[1])
if action == 'set' then
  redis.call('SET', value, new)
elseif action == 'delete' then
  redis.call('DEL', value)
end
return { 0 }
