#!lua flags=no-writes
-- SPDX-License-Identifier: Apache-2.0
-- Reads what a request got.
--
-- KEYS[1] record  string, what the request got
-- Returns {0, record}, with an empty record if nothing is remembered
-- Cost    O(1)
local record = KEYS[1]
return {0, redis.call('GET', record) or ''}
