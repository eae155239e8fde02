#!lua flags=no-writes
-- Reads a counter, and does not say what that costs. <- L02
--
-- SPDX-License-Identifier: Apache-2.0
-- KEYS[1] counter  string
-- Returns the counter
return redis.call('GET', KEYS[1])
