#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Part of the scripts of limiters: what changes a sliding-window log.
--
-- Returns log.member, log.take, log.save, log.mend
-- Cost    O(log n); after the clock of the server went back O(n) once
function log.member(total, units, written)
  if units == 1 and not written then
    return string.format('%d', total)
  end
  return string.format('%d:%d', total, units) .. (written and string.format(':%d', written) or '')
end

function log.take(limit, state, units, wait, now)
  log.mend(state, now)
  state.total, state.used = state.total + units, state.used + units
  state.last = now + wait
  redis.call('ZADD', state.key, string.format('%d', state.last), log.member(state.total, units, wait > 0 and now))
  state.first, state.left = wait + limit.period, wait > 0 and 0 or state.left - units
end

-- Entries of a future that the clock went back from count as of now.
function log.mend(state, now)
  if state.mended then
    local moment = string.format('%.0f', now)
    for _, member in ipairs(redis.call('ZRANGE', state.key, '(' .. moment, '+inf', 'BYSCORE')) do
      redis.call('ZADD', state.key, moment, member)
    end
    state.last, state.mended = now, false
  end
end

function log.save(limit, state, now, slack)
  log.mend(state, now)
  redis.call('ZREMRANGEBYSCORE', state.key, '-inf', string.format('%.0f', now - limit.period))
  redis.call('PEXPIRE', state.key, math.floor((state.last + limit.period - now) / 1000) + 2 + slack)
end
