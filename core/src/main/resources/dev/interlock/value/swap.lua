#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Swaps a value if it is the expected one, once for each request.
-- A request that did is remembered as a field "=request" with its digest and a field "@number" with its time and name; the
-- numbers run from "first" to before "free". Each swap forgets up to two that are too old or too many.
--
-- KEYS[1] value     string
-- KEYS[2] requests  hash, the remembered requests
-- ARGV[1] request   which request
-- ARGV[2] digest    of all that it asks
-- ARGV[3] mode      "create" if there must be no value, "swap", or "delete"
-- ARGV[4] expected  the value that must be there, unless created
-- ARGV[5] fresh     the value that replaces it, unless deleted
-- ARGV[6] ttl       time to live in milliseconds, 1..31622400000, or "keep" or "persist"
-- ARGV[7] memory    how long a request is remembered, milliseconds
-- ARGV[8] capacity  most requests remembered
-- Returns {0} swapped, now or before; {1} there is no value; {2, value} there is another; {3} the request was for
--         something else
-- Cost    O(size of the value)
-- Retry   safe: by request
local value, requests, request, digest, mode, expected = KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local fresh, ttl, memory, capacity = ARGV[5], ARGV[6], tonumber(ARGV[7]), tonumber(ARGV[8])
local known = redis.call('HMGET', requests, '=' .. request, 'first', 'free')
if known[1] then
  return {known[1] == digest and 0 or 3}
end
local current = redis.call('GET', value)
if current and (mode == 'create' or current ~= expected) then
  return {2, current}
elseif not current and mode ~= 'create' then
  return {1}
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
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

if mode == 'delete' then
  redis.call('DEL', value)
elseif ttl == 'keep' then
  redis.call('SET', value, fresh, 'KEEPTTL')
elseif ttl == 'persist' then
  redis.call('SET', value, fresh)
else
  redis.call('SET', value, fresh, 'PX', ttl)
end
if #forgotten > 0 then
  redis.call('HDEL', requests, unpack(forgotten, 1, #forgotten))
end
local entry = string.format('@%.0f', free)
redis.call('HSET', requests, '=' .. request, digest, entry, string.format('%.0f ', now) .. request, 'first',
  string.format('%.0f', first), 'free', string.format('%.0f', free + 1))
redis.call('PEXPIRE', requests, ARGV[7])
return {0}
