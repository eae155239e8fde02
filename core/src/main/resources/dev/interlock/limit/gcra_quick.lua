#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Part of the script that takes: one request that is granted by a limiter of one limit, and whose user is unused or was
-- written under the same limit. Nearly all requests are such, and done in one step they cost half. Others are left alone.
--
-- Returns gcra.quick
-- Cost    O(1)
local sub, format, number, call = string.sub, string.format, tonumber, redis.call

-- True if the request was granted, else nothing has happened.
function gcra.quick(batch, limit, key, value, units)
  local now, us, rest = batch.now, 0, 0
  if not value then
    return false
  end
  if value ~= '' then
    us = sub(value, limit.at) == limit.id and number(sub(value, 1, 13), 16)
    if not us or us >= now + limit.us then
      return false
    end
    us = us - now
    if us < 0 then
      us, value = 0, ''
    elseif limit.n > 1 then
      rest = number(sub(value, 14, limit.at - 1), 16)
    end
  end
  local spanUs, spanRest = limit.q, limit.r
  if units > 1 then
    spanUs, spanRest = gcra.span(limit, units)
  end
  us, rest = us + spanUs, rest and rest + spanRest
  if rest and rest >= limit.n then
    us, rest = us + 1, rest - limit.n
  end
  if not rest or us > limit.us or us == limit.us and rest > limit.rest then
    return false
  end
  call('SET', key, format(limit.form, now + us, rest), 'PX', gcra.life(limit, us, batch.slack))
  local reply, head = batch.reply, batch.head
  reply[head + 1], reply[head + 2], batch.head = '1 0', value ~= '' and value or '0', head + 2
  return true
end
