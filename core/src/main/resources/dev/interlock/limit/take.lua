#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Decides a batch of requests, grouped by user. A run is a number of equal requests of one user that follow each other: it
-- is decided in one step. Each request gets its units from all limits or from none.
--
-- KEYS[1] lane     string, number of the lane's last call that took something, 16 digits, and its answer
-- KEYS[2..] states one a limit for each user, in the order of the limits
-- ARGV[1] call     number of this call in its lane, 16 digits
-- ARGV[2] memory   how long the lane is remembered, milliseconds
-- ARGV[3] time     empty for the clock of the server; tests give microseconds
-- ARGV[4] limits   how many, 1..8
-- ARGV[5..] for each limit its kind and three numbers; then for each user the number of its runs, and for each run units,
--          requests and the longest wait in microseconds (only a single request waits)
-- Returns {0, answer} with numbers separated by blanks: now, and for each run how many requests got their units, the wait
--         of the others or of the one that may wait (-1: never), and for each limit: of GCRA the state before or 0, of the
--         others what was left before and two times from which the limit tells when all is unused; a run that meets a key
--         of another type is "-1 0 0 ..."; or {1} a later call of the lane has run, so this one was given up: nothing
--         happened
-- Cost    O(runs) for all but logs and counters, see there
-- Retry   safe: by lane and call
local lane, call, count = KEYS[1], ARGV[1], tonumber(ARGV[4])
local limits, states, at, tookAny = all.read(ARGV, 5, count), {}, 4 + 4 * count, false
local values = stored(KEYS, count == 1 and limits[1].text and #KEYS or 1)
local last = values[1] and string.sub(values[1], 1, 16)
if last and last >= call then
  return last == call and {0, string.sub(values[1], 17)} or {1}
end
local now, slack = all.clock(ARGV[3])
-- All numbers but the first are below 10^14, so that Lua writes them with all their digits.
local batch = {limits = limits, now = now, slack = slack, reply = {string.format('%d', now)}, head = 1, broken = false}
local quick = count == 1 and limits[1].of.quick
for key = 2, #KEYS, count do
  at = at + 1
  local only = tonumber(ARGV[at])
  local took = quick and only and quick(batch, limits[1], KEYS[key], values[key], only)
  local done = took
  if not done then
    batch.broken = all.load(limits, states, KEYS, key, now, values[key])
  end
  if only and not done then
    took = decide(batch, states, only, 1, 0)
  elseif not done then
    for units, requests, patience in string.gmatch(ARGV[at], '(%d+) (%d+) (%d+);') do
      took = decide(batch, states, tonumber(units), tonumber(requests), tonumber(patience)) or took
    end
  end
  for i = 1, done and 0 or count do
    if took or states[i].mended and not batch.broken then
      limits[i].of.save(limits[i], states[i], now, slack)
    end
  end
  tookAny = tookAny or took
end
local answer = table.concat(batch.reply, ' ')
if tookAny then
  redis.call('SET', lane, call .. answer, 'PX', ARGV[2])
end
return {0, answer}
