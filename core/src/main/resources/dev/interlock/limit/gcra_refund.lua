#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Part of the script that refunds: takes units off the debt, unless they were taken longer than a full refill ago.
--
-- Returns gcra.refund
-- Cost    O(1)
function gcra.refund(limit, key, units, at, now, slack)
  local state = gcra.load(limit, key, now)
  if state.broken or state.us == 0 and state.rest == 0 or now - at > limit.us then
    return false
  end
  local us, rest = gcra.span(limit, units)
  us, rest = state.us - us, state.rest - rest
  if rest < 0 then
    us, rest = us - 1, rest + limit.n
  end
  if us < 0 or us == 0 and rest == 0 then
    redis.call('DEL', key)
  else
    state.us, state.rest = us, rest
    gcra.save(limit, state, now, slack)
  end
  return true
end
