#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Part of the script that takes: reads what is stored, and decides a run of equal requests of one user and writes the answer
-- into the reply.
--
-- Returns the functions stored and decide
-- Cost    that of the algorithms
-- The values of so many keys, with one call; a missing state is "". One of another type is false, and then so are those that
-- are missing: that is rare, and who loads them looks again.
local function stored(keys, count)
  local values, missing = redis.call('MGET', unpack(keys, 1, count)), {}
  for i = 2, count do
    if not values[i] then
      missing[#missing + 1] = keys[i]
    end
  end
  if #missing > 0 and redis.call('EXISTS', unpack(missing, 1, #missing)) == 0 then
    for i = 2, count do
      values[i] = values[i] or ''
    end
  end
  return values
end

local function decide(batch, states, units, requests, patience)
  local limits, reply, head, now = batch.limits, batch.reply, batch.head, batch.now
  local granted, wait, place = batch.broken and -1 or requests, 0, head + 2
  for i = 1, #limits do
    local limit = limits[i]
    if granted > 0 then
      granted = limit.of.fits(limit, states[i], units, granted)
    end
    place = limit.of.tell(states[i], reply, place, limit, now)
  end
  if granted > 0 then
    all.take(limits, states, granted * units, 0, now)
  end
  if granted >= 0 and granted < requests then
    wait = all.retry(limits, states, units, now)
  end
  if wait > 0 and wait <= patience then
    granted = 1
    all.take(limits, states, units, wait, now)
  end
  -- Texts are joined faster than numbers.
  reply[head + 1], reply[head + 2] = granted == 1 and '1' or granted, wait == 0 and '0' or wait
  batch.head = place
  return granted > 0
end
