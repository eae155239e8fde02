#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Part of the scripts of limiters: the sliding window in k buckets. A hash: "w" is the width of a bucket in microseconds and
-- the number of a first bucket, "200000:8950000000"; "a" the moment of writing if waits were granted; the other fields are
-- buckets, by their distance from that first one, which keeps them short, with their units. The current bucket and the k
-- before it count in full, so more than the period counts and never less.
--
-- Returns the table counter with limit, load, moment, place
-- Cost    O(k)
local counter = {}

function counter.limit(max, period, buckets)
  local k = tonumber(buckets)
  return {of = counter, max = tonumber(max), k = k, width = math.ceil(period / k)}
end

function counter.load(limit, key, now)
  local current = math.floor(now / limit.width)
  local state = {key = key, used = 0, counts = {}, stale = {}, changed = {}, current = current, newest = current - limit.k - 1}
  state.base = current - limit.k
  local fields = redis.pcall('HGETALL', key)
  state.broken = fields.err
  local read = {}
  for i = 1, state.broken and 0 or #fields, 2 do
    read[fields[i]] = fields[i + 1]
  end
  local width, base = string.match(read.w or '', '^(%d+):(%d+)$')
  local written = tonumber(read.a)
  width, base = tonumber(width), tonumber(base)
  if width == limit.width then
    state.base = base
  end
  for field, units in pairs(read) do
    local bucket = width and tonumber(field)
    if bucket then
      counter.place(limit, state, counter.moment(bucket + base, width, written, now), tonumber(units), field)
    end
  end
  state.first = math.max(0, (state.newest + limit.k + 1) * limit.width - now)
  state.later = (current + limit.k + 1) * limit.width - now
  state.left = state.newest > current and 0 or math.max(0, limit.max - state.used)
  return state
end

-- The moment that a bucket counts for: its last, but not the future, unless it was granted for then.
function counter.moment(bucket, width, written, now)
  local last = (bucket + 1) * width - 1
  local granted = written and written <= now and bucket * width > now
  return granted and last or math.min(last, now)
end

function counter.place(limit, state, moment, units, field)
  local bucket = math.floor(moment / limit.width)
  if bucket < state.current - limit.k then
    state.stale[#state.stale + 1] = field
    return
  end
  if field ~= string.format('%d', bucket - state.base) then
    state.stale[#state.stale + 1], state.changed[bucket], state.mended = field, true, true
  end
  state.counts[bucket], state.used = (state.counts[bucket] or 0) + units, state.used + units
  state.newest = math.max(state.newest, bucket)
end
