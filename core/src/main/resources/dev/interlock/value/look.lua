#!lua flags=no-writes
-- SPDX-License-Identifier: Apache-2.0
-- Reads a value and its version.
--
-- KEYS[1] document  hash, version and data
-- Returns {0, version, data}; {1} there is none; {2} it is damaged
-- Cost    O(size of the value)
local document = KEYS[1]
local found = redis.call('HMGET', document, 'version', 'data')
local version, data = found[1], found[2]
if version and data and string.match(version, '^[1-9]%d*$') then
  return {0, version, data}
end
return {redis.call('EXISTS', document) == 1 and 2 or 1}
