-- Reads a counter. <- L01
--
-- SPDX-License-Identifier: Apache-2.0
-- KEYS[1] counter  string
-- Returns the counter
-- Cost    O(1)
return redis.call('GET', KEYS[1])
