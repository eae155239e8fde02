#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Part of the scripts of limiters: the state of the generic cell rate algorithm. It is the moment at which all is unused
-- again, "us:rest:n:p", with ":written" after it if waits were granted beyond the burst. While it is worked on, the moment
-- is a debt: counted from now.
--
-- Returns the table gcra with load, retry, take, save, refund
-- Cost    O(1)
function gcra.load(limit, key, now)
  local state = {key = key, us = 0, rest = 0}
  local value = redis.pcall('GET', key)
  state.broken = type(value) == 'table'
  local us, rest, id, written = string.match(type(value) == 'string' and value or '',
    '^(%d+):(%d+)(:[1-9]%d*:[1-9]%d*):?(%d*)$')
  us = us and tonumber(us) - now
  -- Beyond 10^14 is nothing that these scripts write.
  if us and us < 100000000000000 then
    rest, written = tonumber(rest), tonumber(written)
    if written and written > now then
      us, state.mended = us - (written - now), true
    end
    if us >= 0 and id ~= limit.id then
      us, rest = gcra.convert(limit, id, us, rest)
      state.mended = true
    elseif not written and (us > limit.us or us == limit.us and rest > limit.rest) then
      us, rest, state.mended = limit.us, limit.rest, true
    end
    if us >= 0 then
      state.us, state.rest = us, rest
    end
  end
  return gcra.count(limit, state)
end

function gcra.retry(limit, state, units)
  if units > limit.b then
    return -1
  end
  local us, rest = gcra.span(limit, units)
  return math.max(0, state.us + us - limit.us + math.ceil((state.rest + rest - limit.rest) / limit.n))
end

function gcra.take(limit, state, units, wait)
  if wait > state.us then
    state.us, state.rest = wait, 0
  end
  local us, rest = gcra.span(limit, units)
  us, rest = state.us + us, state.rest + rest
  if rest >= limit.n then
    us, rest = us + 1, rest - limit.n
  end
  state.us, state.rest = us, rest
  gcra.count(limit, state)
end

function gcra.save(limit, state, now, slack)
  local value = string.format('%.0f:%.0f%s', now + state.us, state.rest, limit.id)
  if state.us > limit.us or state.us == limit.us and state.rest > limit.rest then
    value = value .. string.format(':%.0f', now)
  end
  redis.call('SET', state.key, value, 'PX', math.floor(state.us / 1000) + 2 + slack)
end
