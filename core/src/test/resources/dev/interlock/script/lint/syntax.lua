#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Reads a counter.
--
-- KEYS[1] counter  string
-- Returns the counter
-- Cost    O(1)
local n = redis.call('GET', KEYS[1])
if n = '0' then -- <- L00
  return nil
end
return n
