#!lua flags=no-writes
-- SPDX-License-Identifier: Apache-2.0
-- Reads who owns a lock and how many wait for it.
--
-- KEYS[1] lock   as in acquire.lua
-- KEYS[2] queue  as in acquire.lua
-- Returns {0} nobody owns it; {1, value, remaining milliseconds or -1 for no TTL, JVMs that wait}
-- Cost    O(1)
local held = redis.call('GET', KEYS[1])
if not held then
  return {0}
end
return {1, held, redis.call('PTTL', KEYS[1]), redis.call('LLEN', KEYS[2])}
