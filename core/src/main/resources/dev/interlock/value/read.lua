#!lua flags=no-writes
-- SPDX-License-Identifier: Apache-2.0
-- Reads a value.
--
-- KEYS[1] value  string
-- Returns {0, value}; {1} there is none
-- Cost    O(size of the value)
local value = KEYS[1]
local current = redis.call('GET', value)
return current and {0, current} or {1}
