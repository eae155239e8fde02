#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Part of the script that refunds: takes units off the bucket of one moment.
--
-- Returns counter.refund
-- Cost    O(k)
function counter.refund(limit, key, units, at, now, slack)
  local state = counter.load(limit, key, now)
  local bucket = math.floor(at / limit.width)
  local held = state.counts[bucket]
  if state.broken or not held or held == 0 then
    return false
  end
  if held > units then
    state.counts[bucket], state.changed[bucket] = held - units, true
  else
    state.counts[bucket], state.changed[bucket] = nil, nil
    state.stale[#state.stale + 1] = string.format('%d', bucket - state.base)
  end
  counter.save(limit, state, now, slack)
  return true
end
