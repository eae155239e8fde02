#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Part of the scripts of limiters: the state of the generic cell rate algorithm. It is the moment at which all is unused
-- again, "us:rest:n:p", with ":written" after it if waits were granted beyond the burst. While it is worked on, the moment
-- is a debt: counted from now.
--
-- Returns gcra.load
-- Cost    O(1)
function gcra.load(limit, key, now, value)
  -- One table for all users of a batch, who are worked on one after the other.
  local state = limit.state
  state.key, state.us, state.rest, state.broken, state.mended = key, 0, 0, false, false
  value = value or redis.pcall('GET', key)
  if type(value) ~= 'string' then
    state.broken = type(value) == 'table'
    return state
  end
  if string.sub(value, -#limit.id) == limit.id and string.sub(value, 17, 17) == ':' then
    -- As it nearly always is: written under the same limit, without waits beyond the burst.
    local us, rest = tonumber(string.sub(value, 1, 16)), tonumber(string.sub(value, 18, -#limit.id - 1))
    if us and rest and us - now < limit.us then
      if us >= now then
        state.us, state.rest = us - now, rest
      end
      return state
    end
  end
  local us, rest, id, written = string.match(value, '^(%d+):(%d+)(:[1-9]%d*:[1-9]%d*):?(%d*)$')
  us = us and tonumber(us) - now
  -- Beyond 10^14 is nothing that these scripts write.
  if not us or us < 0 or us >= 100000000000000 then
    return state
  end
  rest, written = tonumber(rest), tonumber(written)
  if written and written > now then
    us, state.mended = math.max(0, us - (written - now)), true
  end
  if id ~= limit.id then
    us, rest = gcra.convert(limit, id, us, rest)
    state.mended = true
  elseif not written and (us > limit.us or us == limit.us and rest > limit.rest) then
    us, rest, state.mended = limit.us, limit.rest, true
  end
  state.us, state.rest = us, rest
  return state
end
