#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Part of the scripts of limiters: the state of the generic cell rate algorithm. It is the moment at which all is unused
-- again, and the rate that it was written under, in hexadecimal digits: 13 of microseconds, then p if n is 1; else the
-- rest, with as many digits as n, ":n:p". "@written" follows if waits were granted beyond the burst. While it is worked on,
-- the moment is a debt: counted from now.
--
-- Returns gcra.load
-- Cost    O(1)
function gcra.load(limit, key, now, value)
  -- One table for all users of a batch, who are worked on one after the other.
  local state = limit.state
  state.key, state.us, state.rest, state.text, state.broken, state.mended = key, 0, 0, nil, false, false
  value = value or redis.pcall('GET', key)
  if type(value) ~= 'string' then
    state.broken = type(value) == 'table'
    return state
  end
  local us = tonumber(string.sub(value, 1, 13), 16)
  us = us and us - now
  -- Beyond 10^14 is nothing that these scripts write.
  if not us or us < 0 or us >= 100000000000000 then
    return state
  end
  local rest = limit.n > 1 and tonumber(string.sub(value, 14, limit.at - 1), 16) or 0
  if us >= limit.us or string.sub(value, limit.at) ~= limit.id then
    -- Nearly always it was written under the same limit, without waits beyond the burst; not so here.
    local digits, hexN, hexP, written = gcra.parse(value)
    if not digits then
      return state
    end
    rest = digits
    if written and written > now then
      us, state.mended = math.max(0, us - (written - now)), true
    end
    if tonumber(hexN, 16) ~= limit.n or tonumber(hexP, 16) ~= limit.p then
      us, rest = gcra.convert(limit, hexN, hexP, us, rest)
      state.mended = true
    elseif not written and (us > limit.us or us == limit.us and rest > limit.rest) then
      us, rest, state.mended = limit.us, limit.rest, true
    end
  else
    state.text = value
  end
  state.us, state.rest = us, rest
  return state
end

-- Rest, rate and moment of writing of a state under any limit, or nothing if these scripts did not write it.
function gcra.parse(value)
  local rest, hexN, hexP, written = string.match(value, '^(%x+):(%x+):(%x+)@?(%x*)$', 14)
  if not rest then
    rest, hexN, hexP, written = '0', '1', string.match(value, '^([1-9a-f]%x*)@?(%x*)$', 14)
  end
  if not hexP or tonumber(hexN, 16) == 0 or tonumber(hexP, 16) == 0 then
    return nil
  end
  return tonumber(rest, 16), hexN, hexP, tonumber(written, 16)
end
