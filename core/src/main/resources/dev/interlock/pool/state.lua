#!lua flags=no-writes
-- SPDX-License-Identifier: Apache-2.0
-- Reads the state of a pool and the head of the first event after a recorder's position, together.
--
-- KEYS[1] meta    hash, the state of the pool
-- KEYS[2] claims  hash, who holds which unit
-- KEYS[3] outbox  stream, the events that wait to be recorded
-- ARGV[1] after   id of the last recorded entry
-- Returns {0, epoch, seq, left, users, fenced, head or '', held}; or {1} no pool
-- Cost    O(1)
local meta, claims, outbox = KEYS[1], KEYS[2], KEYS[3]
local after = ARGV[1]

local m = redis.call('HMGET', meta, 'epoch', 'seq', 'left', 'state', 'held')
if not m[1] then
  return {1}
end
local users = redis.call('HLEN', claims)
local next = redis.call('XRANGE', outbox, '(' .. after, '+', 'COUNT', 1)
return {0, m[1], m[2], m[3], users, m[4] == 'fenced' and 1 or 0, next[1] and next[1][2][2] or '', m[5] or 0}
