#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Tries whether this master decides: writes a key that lapses at once.
--
-- KEYS[1] probe   a key of nobody
-- ARGV[1] after   time until it lapses, milliseconds, 1..60000
-- Returns {0} it does
-- Cost    O(1)
-- Retry   safe: a repetition writes the same
local probe, after = KEYS[1], ARGV[1]
redis.call('SET', probe, '1', 'PX', after)
return { 0 }
