#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Part of the scripts of limiters: the arithmetic of the generic cell rate algorithm (ITU-T I.371), which equals a token
-- bucket: n units in p microseconds, bursts of b. One unit takes p/n microseconds. Times are pairs of whole microseconds
-- and a rest in n-ths of one, so nothing is ever rounded; every product stays below 2^53, which the caller has checked.
--
-- Returns the table gcra with limit, span, units, convert, fits
-- Cost    O(1)
local gcra = {}

-- The numbers come in hexadecimal digits, of which states consist too: Lua reads these much faster than decimal ones.
function gcra.limit(hexN, hexP, hexB)
  local n, p, b = tonumber(hexN, 16), tonumber(hexP, 16), tonumber(hexB, 16)
  local q, width = math.floor(p / n), n > 1 and #hexN or 0
  local limit = {of = gcra, text = true, n = n, p = p, b = b, q = q, r = p - q * n, at = 14 + width}
  limit.id = n > 1 and ':' .. hexN .. ':' .. hexP or hexP
  limit.form = '%013x' .. (n > 1 and '%0' .. width .. 'x' or '') .. limit.id
  limit.us, limit.rest = gcra.span(limit, b)
  limit.state = {key = false, us = 0, rest = 0, broken = false, mended = false}
  return limit
end

-- How long so many units take.
function gcra.span(limit, units)
  local rests = units * limit.r
  local whole = math.floor(rests / limit.n)
  return units * limit.q + whole, rests - whole * limit.n
end

-- How many units take at most so long. The estimate is off by one at most, because units stay below 10^12.
function gcra.units(limit, us, rest)
  local estimate = math.floor((us + rest / limit.n) / limit.p * limit.n)
  for units = estimate + 1, math.max(estimate, 1), -1 do
    local spanUs, spanRest = gcra.span(limit, units)
    if spanUs < us or spanUs == us and spanRest <= rest then
      return units
    end
  end
  return math.max(estimate - 1, 0)
end

-- The debt of another rate in this one: the same number of units, at most a burst; one that is partly back counts whole.
function gcra.convert(limit, hexN, hexP, us, rest)
  local old = gcra.limit(hexN, hexP, '0')
  local units = gcra.units(old, us, rest)
  local spanUs, spanRest = gcra.span(old, units)
  if spanUs < us or spanRest < rest then
    units = units + 1
  end
  return gcra.span(limit, math.min(units, limit.b))
end

-- How many of equal requests pass now: one is compared, many are divided.
function gcra.fits(limit, state, units, requests)
  local us, rest = limit.us - state.us, limit.rest - state.rest
  if rest < 0 then
    us, rest = us - 1, rest + limit.n
  end
  if us < 0 then
    return 0
  end
  if requests > 1 or units > limit.b then
    return math.min(requests, math.floor(gcra.units(limit, us, rest) / units))
  end
  local spanUs, spanRest = gcra.span(limit, units)
  return (spanUs < us or spanUs == us and spanRest <= rest) and 1 or 0
end
