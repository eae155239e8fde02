#!lua flags=no-writes
-- SPDX-License-Identifier: Apache-2.0
-- Reads what a pool was created with, and the times at which it is open now.
--
-- KEYS[1] meta  hash, the state of the pool
-- Returns {0, total, limit, opens, closes, epoch}; or {1} no pool
-- Cost    O(1)
local meta = KEYS[1]

local m = redis.call('HMGET', meta, 'total', 'limit', 'opens', 'closes', 'epoch')
if not m[5] then
  return {1}
end
return {0, m[1], m[2], m[3], m[4], m[5]}
