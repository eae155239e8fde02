#!lua flags=allow-oom
-- SPDX-License-Identifier: Apache-2.0
-- Gives back what one request took, once and never above a limit.
--
-- KEYS[1] receipt  string, written by the refund: who asked for it
-- KEYS[2..] states one a limit
-- ARGV[1] request  id of this refund
-- ARGV[2] memory   longest time until everything taken is back by itself, milliseconds
-- ARGV[3] time     empty for the clock of the server; tests give microseconds
-- ARGV[4] moment   for which the units were taken, microseconds
-- ARGV[5] units    how many
-- ARGV[6..] for each limit its kind and three numbers
-- Returns {0} given back to at least one limit; {1} nothing to give back, or given back before
-- Cost    O(1) for all but logs and counters, see there
-- Retry   safe: by request
local receipt, request = KEYS[1], ARGV[1]
local before = redis.call('GET', receipt)
if before then
  return {before == request and 0 or 1}
end
local now, slack = all.clock(ARGV[3])
local at, units, given = tonumber(ARGV[4]), tonumber(ARGV[5]), false
for i, limit in ipairs(all.read(ARGV, 6, #KEYS - 1)) do
  given = limit.of.refund(limit, KEYS[i + 1], units, at, now, slack) or given
end
if given then
  local ahead = math.ceil(math.max(0, at - now) / 1000)
  redis.call('SET', receipt, request, 'PX', tonumber(ARGV[2]) + ahead + slack)
end
return {given and 0 or 1}
