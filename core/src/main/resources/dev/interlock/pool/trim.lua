#!lua flags=allow-oom
-- SPDX-License-Identifier: Apache-2.0
-- Removes entries that are recorded, and what the log keeps of events before the last of them.
--
-- KEYS[1] outbox  stream, the events that wait to be recorded
-- KEYS[2] log     sorted set, events by their sequence, until they are recorded
-- ARGV[1] last    id of the last entry to remove
-- ARGV[2] after   the id after it
-- Returns {0, entries removed}
-- Cost    O(entries removed)
-- Retry   safe: what is removed stays removed
local outbox, log = KEYS[1], KEYS[2]
local last, after = ARGV[1], ARGV[2]

local entry = redis.call('XRANGE', outbox, last, last)[1]
local first = entry and string.match(entry[2][2], '^%u %d+ (%d+) %d+$')
if first then
  redis.call('ZREMRANGEBYSCORE', log, '-inf', '(' .. first)
end
return {0, redis.call('XTRIM', outbox, 'MINID', after)}
