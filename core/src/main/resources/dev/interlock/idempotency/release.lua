#!lua flags=allow-oom
-- SPDX-License-Identifier: Apache-2.0
-- Gives a key back whose work has failed.
--
-- KEYS[1] record  hash: fingerprint, owner, until (end of the lease, microseconds), response once it is done
-- ARGV[1] owner   token of this call
-- Returns {0} given back; {1} it was not this call's, or the work is done
-- Cost    O(1)
-- Retry   safe: by owner
local record, owner = KEYS[1], ARGV[1]
local found = redis.call('HMGET', record, 'owner', 'response')
if found[1] ~= owner or found[2] then
  return {1}
end
redis.call('DEL', record)
return {0}
