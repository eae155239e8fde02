#!lua flags=allow-oom
-- SPDX-License-Identifier: Apache-2.0
-- Prolongs the vote of one node of a quorum lock, only if the token still has it; never shortens it.
--
-- KEYS[1] lock   as in quorum_acquire.lua
-- ARGV[1] token  whose
-- ARGV[2] lease  from now, milliseconds, 10..86400000
-- Returns {0} prolonged; {1} another has the vote, or nobody
-- Cost    O(1)
-- Retry   safe
local lock, token, lease = KEYS[1], ARGV[1], ARGV[2]
if redis.call('GET', lock) ~= token then
  return { 1 }
end
redis.call('PEXPIRE', lock, lease, 'GT')
return { 0 }
