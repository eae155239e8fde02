#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Part of the script that takes: decides a run of equal requests of one user and writes the answer into the reply.
--
-- Returns the function decide
-- Cost    that of the algorithms
local function decide(batch, states, units, requests, patience)
  local limits, reply, head, now = batch.limits, batch.reply, batch.head, batch.now
  local granted, wait, place = batch.broken and -1 or requests, 0, head + 2
  for i = 1, #limits do
    local limit = limits[i]
    if granted > 0 then
      granted = limit.of.fits(limit, states[i], units, granted)
    end
    place = limit.of.tell(states[i], reply, place)
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
