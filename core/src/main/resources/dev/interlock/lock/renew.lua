#!lua flags=allow-oom
-- SPDX-License-Identifier: Apache-2.0
-- Prolongs a batch of locks, each only if its token still owns it, and never shortens one.
--
-- KEYS[1..] two a request: lock, queue, as in acquire.lua
-- ARGV[1..] two a request: token, lease from now in milliseconds, 10..86400000; at most 256 requests
-- Returns one value a request: 0 nobody owns it, 1 prolonged, 2 prolonged and somebody waits, 3 another owns it
-- Cost    O(batch)
-- Retry   unsafe: sent again only by the next tick, which leaves out what was released since
local reply = {}
for i = 1, #KEYS / 2 do
  local lock, token, code = KEYS[i * 2 - 1], ARGV[i * 2 - 1], 0
  local held = redis.pcall('GET', lock)
  if type(held) == 'string' and string.sub(held, 1, #token + 1) == token .. '\t' then
    redis.call('PEXPIRE', lock, ARGV[i * 2], 'GT')
    code = 1 + redis.call('EXISTS', KEYS[i * 2])
  elseif held then
    code = 3
  end
  reply[i] = code
end
return reply
