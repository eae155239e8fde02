#!lua flags=no-writes
-- SPDX-License-Identifier: Apache-2.0
-- Judges one request and changes nothing.
--
-- KEYS[1..] states one a limit
-- ARGV[1] time     empty for the clock of the server; tests give microseconds
-- ARGV[2] units    of the request
-- ARGV[3..] for each limit its kind and three numbers
-- Returns {0, answer} as of script take for a run of one request that does not wait
-- Cost    as of script take
local now = all.clock(ARGV[1])
local units, limits = tonumber(ARGV[2]), all.read(ARGV, 3, #KEYS)
local states = {}
local broken = all.load(limits, states, KEYS, 1, now)
local granted, reply, head = broken and -1 or 1, {string.format('%.0f', now), 0, 0}, 3
for i, limit in ipairs(limits) do
  granted = math.min(granted, limit.of.fits(limit, states[i], units, 1))
  head = limit.of.tell(states[i], reply, head, limit, now)
end
reply[2], reply[3] = granted, broken and 0 or all.retry(limits, states, units, now)
return {0, table.concat(reply, ' ')}
