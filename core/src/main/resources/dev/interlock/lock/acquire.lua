#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Decides a batch of requests for locks, each on its own: a free lock is granted, one's own is granted again with the same
-- fence, any other is refused; who waits takes his place in the queue, shows that he lives and tells the holder.
--
-- KEYS[1..] four a request: lock (string "token TAB fence TAB since TAB owner"), fence (string, start of the last range),
--           queue (list of tokens, first come first), waiters (hash, token to "beat TAB owner")
-- ARGV[1] owner   "channel TAB application TAB host TAB pid" of the asking JVM
-- ARGV[2] room    fences of one grant, 1..10^6
-- ARGV[3] alive   a waiter whose beat is older is dead, microseconds
-- ARGV[4] memory  how long the last fence is kept, milliseconds, at least the longest lease
-- ARGV[5] patience  how long a queue without beats is kept, milliseconds
-- ARGV[6..] three a request: token, lease in milliseconds, 10..86400000, mode "once", "barge" or "queue"; at most 256 requests
-- Returns a value a request: its first fence if it was free and nobody waited, as nearly always; else an array
--         {0 granted, its first fence, 1 if somebody waits}, {1 refused, remaining milliseconds},
--         {2 a key holds something else, the error}, {3 held by a key without TTL}
-- Cost    O(batch): two commands a request and three a batch, if all its locks are free
-- Retry   safe: by token
local owner, room, alive, memory, patience = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5]
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local stamp = string.format('%.0f', now)
local reply, probe, fences, taken = {}, {}, {}, {}
for i = 1, #KEYS / 4 do
  probe[i * 2 - 1], probe[i * 2], fences[i] = KEYS[i * 4 - 3], KEYS[i * 4 - 1], KEYS[i * 4 - 2]
end
local free = redis.call('EXISTS', unpack(probe, 1, #probe)) == 0
local last = free and redis.call('MGET', unpack(fences, 1, #fences)) or {}
-- The first waiter that lives. Dead ones before it leave the queue; a call looks at 16, the next call at more.
local function first(queue, waiters)
  for _ = 1, 16 do
    local head = redis.call('LINDEX', queue, 0)
    local beat = head and redis.call('HGET', waiters, head)
    if not head or (beat and now - tonumber(string.match(beat, '^%d+') or 0) < alive) then return head end
    redis.call('HDEL', waiters, redis.call('LPOP', queue))
  end
  return ''
end
local function grant(lock, i, token, lease)
  local before = string.match(last[i] or redis.call('GET', fences[i]) or '0', '^%d+$')
  local value = math.max(tonumber(before or error('the last fence is no whole number')) + room, now)
  local text = value == now and stamp or string.format('%.0f', value)
  redis.call('SET', lock, token .. '\t' .. text .. '\t' .. stamp .. '\t' .. owner, 'PX', lease)
  redis.call('SET', fences[i], text, 'PX', memory)
  return value
end
local function decide(i, token, lease, mode)
  local lock, queue, waiters = KEYS[i * 4 - 3], KEYS[i * 4 - 1], KEYS[i * 4]
  -- Of two requests for one lock the second one finds it held.
  if free and not taken[lock] or not free and #fences > 1 and redis.call('EXISTS', lock, queue) == 0 then
    taken[lock] = true
    return grant(lock, i, token, lease)
  end
  local held = redis.call('GET', lock)
  if held and string.sub(held, 1, #token + 1) == token .. '\t' then
    redis.call('PEXPIRE', lock, lease, 'GT')
    return { 0, tonumber(string.match(held, '\t(%d+)')), redis.call('EXISTS', queue) }
  end
  local ahead = not held and mode ~= 'barge' and first(queue, waiters)
  if not held and (not ahead or ahead == token) then
    local value = grant(lock, i, token, lease)
    if ahead then redis.call('HDEL', waiters, redis.call('LPOP', queue)) end
    return { 0, value, redis.call('EXISTS', queue) }
  end
  local left = held and redis.call('PTTL', lock) or 0
  if left ~= -1 and mode == 'queue' then
    if redis.call('HSET', waiters, token, stamp .. '\t' .. owner) == 1 then redis.call('RPUSH', queue, token) end
    redis.call('PEXPIRE', queue, patience)
    redis.call('PEXPIRE', waiters, patience)
    local holder, channel = string.match(held or '', '^(%x+)\t%d+\t%d+\t([^\t]+)\t')
    if holder then redis.call('PUBLISH', channel, 'w\t' .. holder) end
  end
  return left == -1 and { 3 } or { 1, left }
end
for i = 1, #fences do
  local ok, answer = pcall(decide, i, ARGV[i * 3 + 3], ARGV[i * 3 + 4], ARGV[i * 3 + 5])
  reply[i] = ok and answer or { 2, type(answer) == 'table' and answer.err or answer }
end
return reply
