#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Part of the scripts of limiters: what is decided on a sliding window in buckets and what changes it.
--
-- Returns counter.retry, counter.take, counter.save
-- Cost    O(k)
function counter.retry(limit, state, units, now)
  local wait = math.max(0, state.newest * limit.width - now)
  if units > limit.max or state.used + units <= limit.max then
    return units > limit.max and -1 or wait
  end
  local buckets, back = {}, 0
  for bucket in pairs(state.counts) do
    buckets[#buckets + 1] = bucket
  end
  table.sort(buckets)
  for _, bucket in ipairs(buckets) do
    back = back + state.counts[bucket]
    if state.used + units - back <= limit.max then
      return math.max(wait, (bucket + limit.k + 1) * limit.width - now)
    end
  end
end

function counter.take(limit, state, units, wait, now)
  local bucket = math.floor((now + wait) / limit.width)
  state.counts[bucket], state.changed[bucket] = (state.counts[bucket] or 0) + units, true
  state.used, state.newest = state.used + units, math.max(state.newest, bucket)
  state.first = (state.newest + limit.k + 1) * limit.width - now
  state.left = state.newest > state.current and 0 or state.left - units
end

function counter.save(limit, state, now, slack)
  local fields = {'w', string.format('%d:%d', limit.width, state.base)}
  if state.newest > state.current then
    fields[3], fields[4] = 'a', now
  end
  for bucket in pairs(state.changed) do
    fields[#fields + 1], fields[#fields + 2] = string.format('%d', bucket - state.base), state.counts[bucket]
  end
  for _, field in ipairs(state.stale) do
    redis.call('HDEL', state.key, field)
  end
  redis.call('HSET', state.key, unpack(fields, 1, #fields))
  local ends = (state.newest + limit.k + 1) * limit.width
  redis.call('PEXPIRE', state.key, math.floor((ends - now) / 1000) + 2 + slack)
end
