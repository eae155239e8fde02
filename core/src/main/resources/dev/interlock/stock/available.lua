#!lua flags=no-writes
-- SPDX-License-Identifier: Apache-2.0
-- Reads the number of units of an article.
--
-- KEYS[1] counter  string, units left
-- Returns {0, left}; {1} no such counter; {2} the counter is no whole number
-- Cost    O(1)
local counter = KEYS[1]
local value = redis.call('GET', counter)
if not value then
  return {1}
end
if value ~= '0' and not (string.match(value, '^%-?[1-9]%d*$') and #value < 16) then
  return {2}
end
return {0, value}
