#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Draws a number.
--
-- KEYS[1] counter  string
-- Returns the counter
-- Cost    O(1)
local random = math.random -- <- L08
math.randomseed(1) -- <- L08
local text = 'math.random'
return redis.call('SET', KEYS[1], random(10) .. text)
