#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Part of the scripts of limiters: what is decided by the generic cell rate algorithm and what changes its state.
--
-- Returns gcra.tell, gcra.retry, gcra.take, gcra.life, gcra.save
-- Cost    O(1)

-- The state as it is written, or "0"; that was read spares making a text.
function gcra.tell(state, reply, at, limit, now)
  local unused = state.us == 0 and state.rest == 0
  reply[at + 1] = unused and '0' or state.text or string.format(limit.form, now + state.us, state.rest)
  return at + 1
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
  state.us, state.rest, state.text = us, rest, nil
end

-- Time to live in milliseconds, as a text: Redis takes a number from Lua with 17 digits of a fraction, which is slow.
function gcra.life(limit, us, slack)
  local millis = math.floor(us / 1000) + 2 + slack
  if millis ~= limit.millis then
    limit.millis, limit.life = millis, string.format('%d', millis)
  end
  return limit.life
end

function gcra.save(limit, state, now, slack)
  local us, rest = state.us, state.rest
  local value = string.format(limit.form, now + us, rest)
  if us > limit.us or us == limit.us and rest > limit.rest then
    value = value .. string.format('@%x', now)
  end
  redis.call('SET', state.key, value, 'PX', gcra.life(limit, us, slack))
end
