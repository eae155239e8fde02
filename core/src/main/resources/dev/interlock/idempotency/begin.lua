#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Takes a key for its work, unless that is done or being done.
--
-- KEYS[1] record       hash: fingerprint, owner, until (end of the lease, microseconds), response once it is done
-- ARGV[1] owner        token of this call
-- ARGV[2] fingerprint  what the work is about
-- ARGV[3] lease        milliseconds, 1000..3600000
-- ARGV[4] keep         how long the record is kept, milliseconds, from the lease to 31622400000
-- Returns {0} taken; {1, response} done before; {2, milliseconds} being done, and its lease ends in that time; {3} the key
--         was used with another fingerprint
-- Cost    O(size of the response)
-- Retry   safe: by owner
local record, owner, fingerprint, lease, keep = KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local found = redis.call('HMGET', record, 'fingerprint', 'owner', 'until', 'response')
if found[1] and found[1] ~= fingerprint then
  return {3}
elseif found[4] then
  return {1, found[4]}
end
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local left = (tonumber(found[3] or '0') or 0) - now
if left > 0 and found[2] ~= owner then
  return {2, math.ceil(left / 1000)}
end

redis.call('HSET', record, 'fingerprint', fingerprint, 'owner', owner, 'until', string.format('%.0f', now + lease * 1000))
redis.call('PEXPIRE', record, keep)
return {0}
