#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Sums counters.
--
-- KEYS[1] total     string
-- KEYS[2] unused    never read <- is not the last word, but this line is: <- L03
-- ARGV[1] step      integer, 1 to 100
-- ARGV[2] forgotten never read <- L03
-- ARGV[1] step      again <- L03
-- Returns the sum
-- Cost    O(1)
local total = KEYS[1]
redis.call('INCRBY', total, ARGV[1])
-- ARGV[2] and KEYS[2] in a comment are not used, nor are they here:
local text = 'ARGV[2] KEYS[2]'
if text == ARGV[4] then -- <- L03
  return 0
end
return redis.call('INCRBY', KEYS[3], ARGV[1]) -- <- L03
