#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Stores the response of work that is done, unless another call has taken the key.
--
-- KEYS[1] record    hash: fingerprint, owner, until (end of the lease, microseconds), response once it is done
-- ARGV[1] owner     token of this call
-- ARGV[2] response  its bytes
-- ARGV[3] keep      how long it is kept, milliseconds, 1000..31622400000
-- Returns {0} stored, now or before; {1} the key is not this call's any more
-- Cost    O(size of the response)
-- Retry   safe: by owner
local record, owner, response, keep = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
local found = redis.call('HMGET', record, 'owner', 'until')
if found[1] ~= owner then
  return {1}
end
if found[2] then
  redis.call('HSET', record, 'response', response)
  redis.call('HDEL', record, 'until')
  redis.call('PEXPIRE', record, keep)
end
return {0}
