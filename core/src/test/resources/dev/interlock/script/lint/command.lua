#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Looks for keys.
--
-- KEYS[1] counter  string
-- Returns the keys
-- Cost    O(all)
local call = redis.call
local found = call('keys', '*') -- <- L10
found = redis.pcall('SCAN', 0) -- <- L10
local name = 'RANDOMKEY'
found = redis['call'](name) -- <- L10
pcall(redis.call, "SCAN", 0) -- <- L10
-- redis.call('KEYS', '*')
redis.call('HSCAN', KEYS[1], 0)
redis.call('SET', KEYS[1], 'KEYS')
return [[redis.call('SCAN', 0)]]
