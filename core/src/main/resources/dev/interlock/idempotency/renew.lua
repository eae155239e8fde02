#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Extends the lease of a call that is doing the work, also after its end if nobody has taken the key since.
--
-- KEYS[1] record  hash: fingerprint, owner, until (end of the lease, microseconds), response once it is done
-- ARGV[1] owner   token of this call
-- ARGV[2] lease   milliseconds from now, 1000..3600000
-- ARGV[3] keep    how long the record is kept, milliseconds, from the lease to 31622400000
-- Returns {0} extended; {1} the key is not this call's any more, or the work is done
-- Cost    O(1)
-- Retry   safe: by owner
local record, owner, lease, keep = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
local found = redis.call('HMGET', record, 'owner', 'response')
if found[1] ~= owner or found[2] then
  return {1}
end
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
redis.call('HSET', record, 'until', string.format('%.0f', now + lease * 1000))
redis.call('PEXPIRE', record, keep)
return {0}
