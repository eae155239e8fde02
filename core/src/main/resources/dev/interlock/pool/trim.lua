#!lua flags=allow-oom
-- SPDX-License-Identifier: Apache-2.0
-- Removes entries that are recorded, and what the log keeps of events before the last of them; writes down up to which event
-- the pool is recorded.
--
-- KEYS[1] outbox    stream, the events that wait to be recorded
-- KEYS[2] log       sorted set, events by their sequence, until they are recorded
-- KEYS[3] recorded  string, "epoch SPACE sequence" of the latest recorded event
-- ARGV[1] last    id of the last entry to remove
-- ARGV[2] after   the id after it
-- Returns {0, entries removed}
-- Cost    O(entries removed)
-- Retry   safe: what is removed stays removed
local outbox, log, recorded = KEYS[1], KEYS[2], KEYS[3]
local last, after = ARGV[1], ARGV[2]

local entry = redis.call('XRANGE', outbox, last, last)[1]
local kind, epoch, first = string.match(entry and entry[2][2] or '', '^(%u) (%d+) (%d+) %d+$')
if first then
  redis.call('ZREMRANGEBYSCORE', log, '-inf', '(' .. first)
  local events = 1
  if kind == 'I' or kind == 'E' then
    events = select(2, string.gsub(entry[2][4], '\n', ''))
  elseif kind == 'K' then
    events = 1 + select(2, string.gsub(string.match(entry[2][4], '[^\t]*$'), ' ', ''))
  end
  redis.call('SET', recorded, string.format('%s %.0f', epoch, first + events - 1))
end
return {0, redis.call('XTRIM', outbox, 'MINID', after)}
