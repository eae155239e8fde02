#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Part of the scripts of limiters: the sliding-window log. A sorted set; a member is the running total of all units and
-- its own units, "1000000000000042:5", with ":written" after it if it was granted for a later moment; of one unit it is
-- the total alone, which Redis packs into eight bytes. Its score is its moment in microseconds. So what the window
-- (now - period, now] holds is the difference of two totals. Totals begin at 10^15: all have 16 digits, so members of one
-- moment sort by them.
--
-- Returns the table log with limit, load, retry, take, save, mend
-- Cost    O(log n) for n entries of the window; what has left the window is removed at O(log n) each
local log = {}

function log.limit(max, period)
  return {of = log, max = tonumber(max), period = tonumber(period)}
end

function log.load(limit, key, now)
  local state = {key = key, total = 1000000000000000, used = 0, last = now - limit.period, first = 0, later = limit.period}
  local newest = redis.pcall('ZRANGE', key, -1, -1, 'WITHSCORES')
  local total, written = string.match(newest[1] or '', '^(%d+):?%d*:?(%d*)$')
  state.broken = newest.err or newest[1] and not total
  if not total then
    state.left = limit.max
    return state
  end
  state.total, state.last, written = tonumber(total), tonumber(newest[2]), tonumber(written)
  -- An entry of the future that nobody was told to wait for: the clock of the server went back.
  state.mended = state.last > now and not (written and written <= now)
  local after = string.format('(%.0f', now - limit.period)
  local oldest = redis.call('ZRANGE', key, after, '+inf', 'BYSCORE', 'LIMIT', 0, 1)
  if oldest[1] then
    local upTo, units = string.match(oldest[1], '^(%d+):?(%d*)')
    state.used = state.total - tonumber(upTo) + (tonumber(units) or 1)
    state.first = (state.mended and now or state.last) + limit.period - now
  end
  state.left = state.last > now and not state.mended and 0 or math.max(0, limit.max - state.used)
  return state
end

function log.retry(limit, state, units, now)
  local wait = state.mended and 0 or math.max(0, state.last - now)
  if units > limit.max or state.used + units <= limit.max then
    return units > limit.max and -1 or wait
  end
  -- The first entry with which enough will have left.
  local target, low, high = state.total + units - limit.max, 0, redis.call('ZCARD', state.key) - 1
  for _ = 1, 20 do
    local middle = math.floor((low + high) / 2)
    local entry = low < high and redis.call('ZRANGE', state.key, middle, middle)[1]
    if entry and tonumber(string.match(entry, '^%d+')) < target then
      low = middle + 1
    else
      high = entry and middle or high
    end
  end
  local score = tonumber(redis.call('ZRANGE', state.key, low, low, 'WITHSCORES')[2])
  return math.max(wait, (state.mended and math.min(score, now) or score) + limit.period - now)
end
