#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Part of the scripts of limiters: what is decided by the generic cell rate algorithm and what changes its state.
--
-- Returns gcra.tell, gcra.retry, gcra.take, gcra.save
-- Cost    O(1)
function gcra.tell(state, reply, at)
  -- Texts are joined faster than numbers.
  reply[at + 1], reply[at + 2] = state.us == 0 and '0' or state.us, state.rest == 0 and '0' or state.rest
  return at + 2
end

function gcra.retry(limit, state, units)
  if units > limit.b then
    return -1
  end
  local us, rest = gcra.span(limit, units)
  return math.max(0, state.us + us - limit.us + math.ceil((state.rest + rest - limit.rest) / limit.n))
end

function gcra.take(limit, state, units, wait)
  if wait > state.us then
    state.us, state.rest = wait, 0
  end
  local us, rest = gcra.span(limit, units)
  us, rest = state.us + us, state.rest + rest
  if rest >= limit.n then
    us, rest = us + 1, rest - limit.n
  end
  state.us, state.rest = us, rest
end

function gcra.save(limit, state, now, slack)
  local us, rest = state.us, state.rest
  local value = string.format(limit.form, now + us, rest)
  if us > limit.us or us == limit.us and rest > limit.rest then
    value = value .. string.format('@%x', now)
  end
  redis.call('SET', state.key, value, 'PX', math.floor(us / 1000) + 2 + slack)
end
