#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Part of the scripts of limiters: all limits of a limiter together. "algorithms" has the table of each kind in use.
--
-- Returns the table all with clock, read, fits, tell, load, retry, take
-- Cost    that of the algorithms
local all = {}

-- Now in microseconds, and how much longer than needed keys live in a test that stands still in time.
function all.clock(given)
  if given ~= '' then
    return tonumber(given), 3600000
  end
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2], 0
end

function all.read(args, from, count)
  local limits = {}
  for i = 1, count do
    local at = from + 4 * (i - 1)
    local algorithm = algorithms[args[at]]
    algorithm.fits, algorithm.tell = algorithm.fits or all.fits, algorithm.tell or all.tell
    limits[i] = algorithm.limit(args[at + 1], args[at + 2], args[at + 3])
  end
  return limits
end

-- How many requests pass, for the algorithms that know how much is left.
function all.fits(_, state, units, requests)
  return math.min(requests, math.floor(state.left / units))
end

-- What the same algorithms answer of a state.
function all.tell(state, reply, at)
  reply[at + 1], reply[at + 2], reply[at + 3] = state.left, state.first, state.later
  return at + 3
end

-- Loads the states, and tells whether one of the keys holds another type. A value that was read before spares a call.
function all.load(limits, states, keys, first, now, value)
  local broken = false
  for i = 1, #limits do
    local limit = limits[i]
    states[i] = limit.of.load(limit, keys[first + i - 1], now, value)
    broken = broken or states[i].broken
  end
  return broken
end

-- The longest wait, -1 if the request can never pass.
function all.retry(limits, states, units, now)
  local longest = 0
  for i, limit in ipairs(limits) do
    local wait = limit.of.retry(limit, states[i], units, now)
    longest = (wait < 0 or longest < 0) and -1 or math.max(longest, wait)
  end
  return longest
end

function all.take(limits, states, units, wait, now)
  for i = 1, #limits do
    limits[i].of.take(limits[i], states[i], units, wait, now)
  end
end
