#!lua flags=allow-oom
-- SPDX-License-Identifier: Apache-2.0
-- Gives back what a request took, once.
--
-- KEYS[1] record      string, what the request got
-- KEYS[2..] counters  string, units left, in the order of the record's lines, at most 100
-- Returns {0, left...} given back; {1} given back before; {2} nothing is remembered of the request, or its counter is
--         gone; {3} the request took nothing
-- Cost    O(lines)
-- Retry   safe: by request; a repetition after a lost reply is answered as given back before
local record = KEYS[1]
local entry = redis.call('GET', record)
if not entry then
  return {2}
end
local state = string.sub(entry, 1, 1)
if state ~= 'T' then
  return {state == 'B' and 1 or 3}
end
for i = 2, #KEYS do
  local value = redis.call('GET', KEYS[i])
  if not value then
    return {2}
  end
end

local reply, i = {0}, 2
for quantity in string.gmatch(entry, '\n(%d+)\t%d+\t') do
  reply[i] = redis.call('INCRBY', KEYS[i], quantity)
  i = i + 1
end
redis.call('SET', record, 'B' .. string.sub(entry, 2), 'KEEPTTL')
return reply
