#!lua flags=allow-oom
-- SPDX-License-Identifier: Apache-2.0
-- Forgets all that was used.
--
-- KEYS[1..] states one a limit
-- Returns {0}
-- Cost    O(1); O(n) for a log of n entries
-- Retry   unsafe: a second run would also forget what was used in between
for i = 1, #KEYS do
  redis.call('DEL', KEYS[i])
end
return {0}
