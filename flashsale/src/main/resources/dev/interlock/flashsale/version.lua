#!lua flags=no-writes
-- SPDX-License-Identifier: Apache-2.0
-- Tells which server runs the script: Valkey names itself beside the version of Redis that it is like.
--
-- KEYS[1] any     only chooses the node; not read
-- Returns the version, with the name before it unless it is Redis
-- Cost    O(1)
-- Retry   safe: reads only
local any = KEYS[1]
local info = redis.call('INFO', 'server')
local valkey = any and string.match(info, 'valkey_version:(%S+)')
return valkey and 'Valkey ' .. valkey or string.match(info, 'redis_version:(%S+)')
