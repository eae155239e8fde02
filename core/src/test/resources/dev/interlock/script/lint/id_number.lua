#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Treats ids as numbers.
--
-- KEYS[1] holders  hash
-- ARGV[1] user id, 1 to 64 bytes
-- ARGV[2] time to live of the request, milliseconds
-- ARGV[3] fencing token, 1 to 2^53
-- ARGV[4] body     JSON
-- ARGV[5] tokens   to take, 1 to 100
-- ARGV[6..] ids of users, at most 100
-- Returns nothing
-- Cost    O(1)
local who = ARGV[1]
if tonumber(who) == nil then -- <- L12
  return 0
end
local requestId = tonumber(ARGV[4]) -- <- L12
local owner = redis.call('HGET', KEYS[1], 'owner')
if owner and tonumber(owner) > 5 then -- <- L12
  return 1
end
local body = cjson.decode(ARGV[4])
redis.call('HSET', KEYS[1], 'last', body.userId) -- <- L12
redis.call('HSET', KEYS[1], 'last', cjson.encode({ user = ARGV[1], n = 1 })) -- <- L12
for i = 6, #ARGV do
  redis.call('HINCRBY', KEYS[1], 'sum', tonumber(ARGV[i])) -- <- L12
end
-- Right:
local ttl, fence, wanted = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[5])
local id = redis.call('HINCRBY', KEYS[1], 'last', 1)
if tonumber(id) > ttl + fence + wanted then
  return 2
end
redis.call('HSET', KEYS[1], ARGV[1], body.price)
return { requestId }
