#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Part of the script that refunds: takes units off the window of one moment, if it is the latest.
--
-- Returns fixed.refund
-- Cost    O(1)
function fixed.refund(limit, key, units, at, now, slack)
  local state = fixed.load(limit, key, now)
  if state.broken or state.used == 0 or math.floor(at / limit.period) * limit.period ~= state.start then
    return false
  end
  state.used = math.max(0, state.used - units)
  fixed.save(limit, state, now, slack)
  return true
end
