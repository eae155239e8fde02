#!lua flags=no-writes
-- SPDX-License-Identifier: Apache-2.0
-- Reads a hold, which looks as in hold.lua.
--
-- KEYS[1] holds  hash, a record of each hold
-- ARGV[1] key    of the hold, 32 hex digits
-- Returns {0, hold} found; {1} no such hold
-- Cost    O(1)
local holds, key = KEYS[1], ARGV[1]

local record = redis.call('HGET', holds, key)
return record and {0, record} or {1}
