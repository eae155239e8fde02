#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Counts in globals. -- <- is nothing here
--
-- KEYS[1] counter  string
-- Returns the counter
-- Cost    O(1)
count = redis.call('INCR', KEYS[1]) -- <- L07
function twice(n) -- <- L07
  return 2 * n
end
local t = { other = 1 }
t.field = 2
local function later()
  return later and t.other
end
do
  local inner = 1
  t.field = inner
end
if t.field > inner then -- <- L07
  print('done') -- <- L07
end
string.trim = later -- <- L07
_G['x'] = 1 -- <- L07
return twice(count) + tonumber(t.field) + math.floor(1.5)
