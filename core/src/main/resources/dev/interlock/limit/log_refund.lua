#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Part of the script that refunds: takes units off the entries of one moment and off all later totals.
--
-- Returns log.refund
-- Cost    O(m log n) for m entries since that moment
function log.refund(limit, key, units, at, now, slack)
  local state = log.load(limit, key, now)
  if state.broken or at <= now - limit.period then
    return false
  end
  log.mend(state, now)
  local moment, given, changed = string.format('%.0f', at), 0, {}
  local entries = redis.call('ZRANGE', key, moment, '+inf', 'BYSCORE', 'WITHSCORES')
  for i = 1, #entries, 2 do
    local total, own, written = string.match(entries[i], '^(%d+):?(%d*):?(%d*)$')
    total, own = tonumber(total), tonumber(own) or 1
    local back = entries[i + 1] == moment and math.min(own, units - given) or 0
    given = given + back
    if own - back > 0 then
      changed[#changed + 1] = {entries[i + 1], log.member(total - given, own - back, tonumber(written))}
    end
  end
  if given == 0 then
    return false
  end
  -- What goes, goes last: a key that was emptied must not be touched again while its slot moves to another node.
  local kept = {}
  redis.call('PEXPIRE', key, math.floor((state.last + limit.period - now) / 1000) + 2 + slack)
  for _, entry in ipairs(changed) do
    redis.call('ZADD', key, entry[1], entry[2])
    kept[entry[2]] = true
  end
  for i = 1, #entries, 2 do
    if not kept[entries[i]] then
      redis.call('ZREM', key, entries[i])
    end
  end
  return true
end
