#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Part of the scripts of limiters: windows that begin at multiples of the period since 1970. The state is the latest
-- window that holds something, "start:period:units", with ":written" after it if waits were granted for it.
--
-- Returns the table fixed with limit, load, retry, take, save
-- Cost    O(1)
local fixed = {}

function fixed.limit(max, period)
  return {of = fixed, text = true, max = tonumber(max), period = tonumber(period)}
end

function fixed.load(limit, key, now, value)
  local current = math.floor(now / limit.period) * limit.period
  local state = {key = key, start = current, used = 0}
  value = value or redis.pcall('GET', key)
  state.broken = type(value) == 'table'
  local start, period, units, written = string.match(type(value) == 'string' and value or '',
    '^(%d+):(%d+):(%d+):?(%d*)$')
  -- Further ahead is nothing that these scripts write.
  if start and tonumber(start) + tonumber(period) > now and tonumber(start) < now + 100000000000000 then
    start, written = tonumber(start), tonumber(written)
    state.used = tonumber(units)
    if start > now and written and written <= now then
      state.start = math.max(current, math.floor(start / limit.period) * limit.period)
    else
      -- Another period than now, or a clock that went back: what was used counts in this window.
      state.mended = start ~= current or tonumber(period) ~= limit.period
    end
  end
  state.first = (state.used > 0 or state.start > now) and state.start + limit.period - now or 0
  state.later = current + limit.period - now
  state.left = state.start > now and 0 or math.max(0, limit.max - state.used)
  return state
end

function fixed.retry(limit, state, units, now)
  if units > limit.max then
    return -1
  end
  local start = state.used + units > limit.max and state.start + limit.period or state.start
  return math.max(0, start - now)
end

function fixed.take(limit, state, units, wait, now)
  local start = math.floor((now + wait) / limit.period) * limit.period
  if start > state.start then
    state.start, state.used = start, 0
  end
  state.used, state.first = state.used + units, state.start + limit.period - now
  state.left = start > now and 0 or state.left - units
end

function fixed.save(limit, state, now, slack)
  local value = string.format('%.0f:%.0f:%.0f', state.start, limit.period, state.used)
  if state.start > now then
    value = value .. string.format(':%.0f', now)
  end
  redis.call('SET', state.key, value, 'PX', math.floor((state.start + limit.period - now) / 1000) + 2 + slack)
end
