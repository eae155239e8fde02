#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Writes a value if it has the expected version, once for each request; its next version is the larger of the last one + 1
-- and the time in microseconds. Requests are remembered as by swap.lua, with the version they gave.
--
-- KEYS[1] document  hash, version and data
-- KEYS[2] last      string, the last version, which outlives the document
-- KEYS[3] requests  hash, the remembered requests
-- ARGV[1] request   which request
-- ARGV[2] digest    of all that it asks
-- ARGV[3] mode      "write" or "delete"
-- ARGV[4] expected  the version that must be there, 0 for none
-- ARGV[5] data      the new value
-- ARGV[6] ttl       time to live in milliseconds, 1..31622400000, or "keep" or "persist"
-- ARGV[7] outlives  by how much the last version outlives the document, milliseconds
-- ARGV[8] memory    how long a request is remembered, milliseconds
-- ARGV[9] capacity  most requests remembered
-- Returns {0, version} written, now or before; {1} there is no value; {2, version, data} there is another; {3} the request
--         was for something else; {4} it is damaged
-- Cost    O(size of the value)
-- Retry   safe: by request
local document, last, requests, request, digest, mode = KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[2], ARGV[3]
local expected, data, ttl, memory, capacity = ARGV[4], ARGV[5], ARGV[6], tonumber(ARGV[8]), tonumber(ARGV[9])
local known = redis.call('HMGET', requests, '=' .. request, 'first', 'free')
if known[1] then
  local before, given = string.match(known[1], '^(%S+) (%d+)$')
  return before == digest and {0, given} or {3}
end
local found = redis.call('HMGET', document, 'version', 'data')
local floor = redis.call('GET', last) or '0'
if not (found[1] and found[2]) and redis.call('EXISTS', document) == 1
    or not string.match((found[1] or '0') .. floor, '^%d+$') then
  return {4}
elseif found[1] and found[1] ~= expected then
  return {2, found[1], found[2]}
elseif not found[1] and expected ~= '0' then
  return {1}
end

local time = redis.call('TIME')
local now, micros = time[1] * 1000 + math.floor(time[2] / 1000), time[1] * 1000000 + time[2]
local version = string.format('%.0f', math.max(micros, tonumber(found[1] or '0') + 1, tonumber(floor) + 1))
local left = ttl == 'keep' and redis.call('PTTL', document) or tonumber(ttl) or 0
local first, free = tonumber(known[2] or '0'), tonumber(known[3] or '0')
local forgotten = {}
for number = first, math.min(first + 1, free - 1) do
  local field = string.format('@%.0f', number)
  local at, name = string.match(redis.call('HGET', requests, field) or '', '^(%d+) (.+)$')
  if name and free - number < capacity and now - at < memory then
    break
  end
  first, forgotten[#forgotten + 1], forgotten[#forgotten + 2] = number + 1, field, '=' .. (name or '')
end

redis.call('SET', last, version, 'PX', string.format('%.0f', math.max(left, 0) + ARGV[7]))
if mode == 'delete' then
  redis.call('DEL', document)
else
  redis.call('HSET', document, 'version', version, 'data', data)
  if ttl == 'persist' then
    redis.call('PERSIST', document)
  elseif ttl ~= 'keep' then
    redis.call('PEXPIRE', document, ttl)
  end
end
if #forgotten > 0 then
  redis.call('HDEL', requests, unpack(forgotten, 1, #forgotten))
end
local entry = string.format('@%.0f', free)
redis.call('HSET', requests, '=' .. request, digest .. ' ' .. version, entry, string.format('%.0f ', now) .. request,
  'first', string.format('%.0f', first), 'free', string.format('%.0f', free + 1))
redis.call('PEXPIRE', requests, ARGV[8])
return {0, version}
