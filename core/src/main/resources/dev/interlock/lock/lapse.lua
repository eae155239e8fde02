#!lua flags=allow-oom
-- SPDX-License-Identifier: Apache-2.0
-- Has a lock lapse after a while instead of giving it back now, only if its token still owns it.
--
-- KEYS[1] lock   as in acquire.lua
-- ARGV[1] token  who gives it up
-- ARGV[2] after  time until it lapses, milliseconds, 1..86400000
-- Returns {0} it will lapse, {1} nobody owns it, {2} another owns it
-- Cost    O(1)
-- Retry   safe: a repetition sets the time again
local lock, token, after = KEYS[1], ARGV[1], ARGV[2]
local held = redis.call('GET', lock)
if not held then return { 1 } end
if string.sub(held, 1, #token + 1) ~= token .. '\t' then return { 2 } end
redis.call('PEXPIRE', lock, after)
return { 0 }
