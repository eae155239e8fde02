#!lua flags=allow-oom
-- SPDX-License-Identifier: Apache-2.0
-- Gives back a batch of locks, each only if its token still owns it, and makes the next waiter that lives the owner in the
-- same step; its JVM is told by push. The giver may name an heir of its own, who joins the end of the queue first. A queue
-- that is still there afterwards has had its TTL from a waiter's beat.
--
-- KEYS[1..] four a request: lock, fence, queue, waiters, as in acquire.lua
-- ARGV[1] owner   of the heirs, as in acquire.lua
-- ARGV[2] room    fences of one grant, 1..10^6
-- ARGV[3] alive   a waiter whose beat is older is dead, microseconds
-- ARGV[4] memory  how long the last fence is kept, milliseconds
-- ARGV[5] handover  lease of a waiter that does not know yet, milliseconds
-- ARGV[6..] two a request: token; mode "release", "abandon" (leaves the queue too), "force" (whoever owns it) or "token
--           lease" of an heir, in milliseconds
-- Returns a value a request: 0 given back to nobody, as nearly always; else an array
--         {0 given back, first fence of the heir if it is the owner now or 0, 1 if somebody waits},
--         {1 nobody owns it}, {2 another owns it}, {3 a key holds something else, the error}
-- Cost    O(batch): three commands a batch, if nobody waits and all owned; abandon O(length of the queue)
-- Retry   unsafe: a repetition cannot tell its own work from that of others; the caller repeats "abandon" instead
local owner, room, alive, memory, handover = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5]
local reply, locks, queues, mine = {}, {}, {}, {}
for i = 1, #KEYS / 4 do
  locks[i], queues[i] = KEYS[i * 4 - 3], KEYS[i * 4 - 1]
end
local held = redis.call('EXISTS', unpack(queues, 1, #queues)) == 0 and redis.call('MGET', unpack(locks, 1, #locks)) or {}
for i = 1, #locks do
  local own, lock = ARGV[i * 2 + 4] .. '\t', locks[i]
  if held[i] and ARGV[i * 2 + 5] == 'release' and string.sub(held[i], 1, #own) == own and not mine[lock] then
    mine[lock], mine[#mine + 1], reply[i] = true, lock, 0
  end
end
if #mine > 0 then redis.call('DEL', unpack(mine, 1, #mine)) end
if #mine == #locks then return reply end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local stamp = string.format('%.0f', now)
-- The next waiter that lives, his record, and how many are left. Dead ones before him leave the queue, at most 64. Neither
-- key is touched after its last entry has gone: while its slot moves to another node, that would end the script half-way.
local function next_waiter(queue, waiters, length)
  local beats = length > 0 and redis.call('HLEN', waiters) or 0
  for i = 1, math.min(length, 64) do
    local head = redis.call('LPOP', queue)
    local beat, record = string.match(beats > 0 and redis.call('HGET', waiters, head) or '', '^(%d+)\t(.+)$')
    beats = beats > 0 and beats - redis.call('HDEL', waiters, head) or 0
    if beat and now - tonumber(beat) < alive then return head, record, length - i end
  end
end
local function give_back(i, token, mode)
  local lock, fence, queue, waiters = KEYS[i * 4 - 3], KEYS[i * 4 - 2], KEYS[i * 4 - 1], KEYS[i * 4]
  local length = redis.call('LLEN', queue)
  if mode == 'abandon' then
    length = length - redis.call('LREM', queue, 0, token)
    redis.call('HDEL', waiters, token)
  end
  local held = redis.call('GET', lock)
  if not (held and (mode == 'force' or string.sub(held, 1, #token + 1) == token .. '\t')) then return { held and 2 or 1 } end
  local heir, lease = string.match(mode, '^(%x+) (%d+)$')
  if heir then
    redis.call('HSET', waiters, heir, stamp .. '\t' .. owner)
    length = redis.call('RPUSH', queue, heir)
  end
  local head, record, left = next_waiter(queue, waiters, length)
  if not head then
    redis.call('DEL', lock)
    return 0
  end
  local value = math.max((tonumber(redis.call('GET', fence) or '0') or 0) + room, now)
  local text, waiting, ttl = string.format('%.0f', value), math.min(left, 1), head == heir and lease or handover
  redis.call('SET', lock, head .. '\t' .. text .. '\t' .. stamp .. '\t' .. record, 'PX', ttl)
  redis.call('SET', fence, text, 'PX', memory)
  if head == heir then return { 0, value, waiting } end
  redis.call('PUBLISH', string.match(record, '^[^\t]+'), 'g\t' .. head .. '\t' .. text .. '\t' .. waiting)
  return { 0, 0, 0 }
end
for i = 1, #locks do
  if not reply[i] then
    local ok, answer = pcall(give_back, i, ARGV[i * 2 + 4], ARGV[i * 2 + 5])
    reply[i] = ok and answer or { 3, type(answer) == 'table' and answer.err or answer }
  end
end
return reply
