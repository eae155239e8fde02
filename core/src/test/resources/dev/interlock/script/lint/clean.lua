#!lua flags=allow-oom
-- SPDX-License-Identifier: Apache-2.0
-- Takes units of stock once a request, and shows every part of Lua that scripts use.
--
-- KEYS[1] stock     string, units left
-- KEYS[2] requests  hash, what each request got
-- KEYS[3..] audit   lists, at most 8
-- ARGV[1] request id, 1 to 64 bytes
-- ARGV[2] quantity  integer, 1 to 1000000
-- ARGV[3..] labels  any text, at most 100
-- Returns {0, left} taken; {1, left} too few; {2} no stock
-- Cost    O(audit)
-- Retry   safe: by request id
--[==[ A long comment: while true do math.random() end
  redis.call('KEYS', '*') ]==]
local call = redis.call
local stock, requests = KEYS[1], KEYS[2]
local request, quantity = ARGV[1], assert(tonumber(ARGV[2]), 'quantity')
local before = call('HGET', requests, request)
if before then
  return { 0, before }
end
local left = call('GET', stock)
if not left then
  return { 2 }
end
left = tonumber(left)
local labels = { n = 0x10, ['long text'] = [[
redis.call('SCAN', 0); tostring(1)]]; 1e3, .5 }
for i = 3, #ARGV do
  labels[#labels + 1] = ARGV[i]
end
if left < quantity then
  return { 1, left }
elseif left - quantity >= 2 ^ 53 then
  return redis.error_reply('ERR "too" \'many\' \\')
end
local after = string.format('%.0f', left - quantity)
call('SET', stock, after, 'KEEPTTL')
call('HSET', requests, request, after)
local function note(list, ...)
  local entry = table.concat({ ... }, ' ')
  call('RPUSH', list, entry)
  return select('#', ...)
end
local noted = 0
for i = 3, #KEYS do
  noted = noted + note(KEYS[i], request, after)
end
local tries = 0
repeat
  tries = tries + 1
until tries >= noted or tries == 10
local time = call('TIME')
local micros = time[1] * 1000000 + time[2]
labels.at = -micros % 7
return { 0, after, not noted and 1 or 0 }
