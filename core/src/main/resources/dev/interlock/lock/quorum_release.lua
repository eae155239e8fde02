#!lua flags=allow-oom
-- SPDX-License-Identifier: Apache-2.0
-- Gives back the vote of one node of a quorum lock, only if the token has it.
--
-- KEYS[1] lock   as in quorum_acquire.lua
-- ARGV[1] token  whose
-- Returns {0} given back; {1} nobody has the vote; {2} another has it
-- Cost    O(1)
-- Retry   unsafe: a repetition answers 1
local lock, token = KEYS[1], ARGV[1]
local held = redis.call('GET', lock)
if held == token then
  redis.call('DEL', lock)
  return { 0 }
end
return { held and 2 or 1 }
