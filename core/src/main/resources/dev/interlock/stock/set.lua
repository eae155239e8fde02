#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Sets the number of units of an article.
--
-- KEYS[1] counter   string, units left
-- ARGV[1] quantity  units, 0..10^12
-- ARGV[2] mode      "absent" to set only a counter that does not exist, else "always"
-- Returns {0} set; {1} it exists and was left as it is
-- Cost    O(1)
-- Retry   unsafe: a second run would undo what was taken in between
local counter, quantity, mode = KEYS[1], ARGV[1], ARGV[2]
local value = redis.call('GET', counter)
if value and mode == 'absent' then
  return {1}
end
redis.call('SET', counter, quantity)
return {0}
