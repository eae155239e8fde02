#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Takes one unit back from a user, once, as an event.
--
-- KEYS[1] meta     hash, the state of the pool
-- KEYS[2] claims   hash, who holds which unit
-- KEYS[3] outbox   stream, the events that wait to be recorded
-- KEYS[4] journal  hash, events that are not claims
-- KEYS[5] version  string, changed whenever units may have become available
-- ARGV[1] token    of this call: the same token again gets the first answer
-- ARGV[2] user     whose unit
-- ARGV[3] issue    sequence of the event that issued it, 1..2^53
-- ARGV[4] reason   text
-- Returns {0, seq, left} done; {1} no pool; {2} fenced; {3, seq} that unit was not issued to the user
-- Cost    O(units of the user), at most 100
-- Retry   safe: by token
local meta, claims, outbox, journal, version = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local token, user, issue, reason = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local m = redis.call('HMGET', meta, 'epoch', 'seq', 'left', 'state', 'version')
if not m[1] then
  return {1}
end
local before = redis.call('HGET', journal, 'issue:' .. issue)
if before then
  local seq, by, left = string.match(before, '^(%d+)\t([^\t]*)\t(%d+)$')
  return by == token and {0, seq, left} or {3, m[2]}
end
if m[4] ~= 'open' then
  return {2}
end
local claim = redis.call('HGET', claims, user) or ''
local from, to, nth, request = string.find('\n' .. claim, '\n(%d+)\t' .. issue .. '\t([^\n]*)\n')
if not from or string.sub(request, 1, 2) == ' h' then
  return {3, m[2]}
end
redis.call('EXISTS', version)

local time = redis.call('TIME')
local next, left = string.format('%.0f', tonumber(m[2]) + 1), string.format('%.0f', tonumber(m[3]) + 1)
local head = string.format('R %s %s %.0f', m[1], next, time[1] * 1000000 + time[2])
local unit = nth .. '\t' .. issue .. '\t' .. request
local again = string.format('%.0f', tonumber(m[5]) + 1)
local rest = string.sub(claim, 1, from - 1) .. string.sub(claim, to)
redis.call('XADD', outbox, '*', 'h', head, 'user', user, 'unit', unit, 'reason', reason)
if rest == '' then
  redis.call('HDEL', claims, user)
else
  redis.call('HSET', claims, user, rest)
end
redis.call('HSET', journal, 'issue:' .. issue, next .. '\t' .. token .. '\t' .. left, next,
  'R\t' .. unit .. '\t' .. user .. '\t' .. reason)
redis.call('HSET', meta, 'seq', next, 'left', left, 'version', again)
redis.call('SET', version, again .. ':' .. token)
return {0, next, left}
