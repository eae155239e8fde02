#!lua flags=allow-oom
-- SPDX-License-Identifier: Apache-2.0
-- Ends holds whose deadline has passed, the oldest first, and forgets records of holds that ended long ago. Holds look as
-- in hold.lua.
--
-- KEYS[1] meta       hash, the state of the pool
-- KEYS[2] claims     hash, who holds which unit
-- KEYS[3] outbox     stream, the events that wait to be recorded
-- KEYS[4] holds      hash, a record of each hold
-- KEYS[5] deadlines  sorted set, when each held one ends
-- KEYS[6] log        sorted set, the events of holds by their sequence, until they are recorded
-- KEYS[7] ended      sorted set, when the record of each ended hold may go
-- KEYS[8] version    string, changed whenever units may have become available
-- ARGV[1] max   holds to end and records to forget, 1..1000
-- ARGV[2] keep  how long the record of an ended hold is kept, microseconds
-- Returns {0, holds ended, microseconds until the next deadline or -1, epoch, seq} done; {1} no pool; {2} fenced
-- Cost    O(max)
-- Retry   safe: what has ended does not end again
local meta, claims, outbox, holds, deadlines, log, ended = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local version, max, keep = KEYS[8], tonumber(ARGV[1]), tonumber(ARGV[2])
local m = redis.call('HMGET', meta, 'epoch', 'seq', 'left', 'state', 'held', 'version')
if not m[1] then
  return {1}
elseif m[4] ~= 'open' then
  return {2}
end
local seq, left, held, again = tonumber(m[2]), tonumber(m[3]), tonumber(m[5] or 0), string.format('%.0f', m[6] + 1)
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000000 + time[2])
local due = redis.call('ZRANGE', deadlines, '-inf', now, 'BYSCORE', 'LIMIT', 0, max)
local old = redis.call('ZRANGE', ended, '-inf', now, 'BYSCORE', 'LIMIT', 0, max)
redis.call('ZCARD', log)

local gone = string.format('%.0f', now + keep)
local head = string.format('E %s %.0f %s', m[1], seq + 1, now)
local records = due[1] and redis.call('HMGET', holds, unpack(due)) or {}
local lines, fresh, changed, users, ends = {}, {}, {}, {}, {}
for i, key in ipairs(due) do
  local token, quantity, deadline, user, request =
    string.match(records[i] or '', '^H\t(%x+)\t(%d+)\t(%d+)\t%d+\t([^\t]*)\t([^\t]*)$')
  if token then
    if not fresh[user] then
      users[#users + 1], fresh[user] = user, redis.call('HGET', claims, user) or ''
    end
    fresh[user] = string.gsub(fresh[user], '%d+\t%d+\t h' .. key .. '\n', '')
    seq, left, held = seq + 1, left + tonumber(quantity), held - tonumber(quantity)
    lines[#lines + 1] = key .. '-' .. token .. '\t' .. quantity .. '\n'
    changed[#changed + 1] = key
    changed[#changed + 1] = table.concat({'E', token, quantity, deadline, string.format('%.0f', seq), user, request}, '\t')
    ends[#ends + 1], ends[#ends + 2] = gone, key
  end
end
if lines[1] then
  redis.call('XADD', outbox, '*', 'h', head, 'd', table.concat(lines))
  for _, user in ipairs(users) do
    if fresh[user] == '' then
      redis.call('HDEL', claims, user)
    else
      redis.call('HSET', claims, user, fresh[user])
    end
  end
  redis.call('HSET', holds, unpack(changed))
  redis.call('ZADD', ended, unpack(ends))
  redis.call('ZADD', log, string.match(head, ' (%d+) %d+$'), head .. '\n' .. table.concat(lines))
  redis.call('HSET', meta, 'seq', string.format('%.0f', seq), 'left', string.format('%.0f', left), 'held',
    string.format('%.0f', held), 'version', again)
  redis.call('SET', version, again .. ':expired')
end
if due[1] then
  redis.call('ZREM', deadlines, unpack(due))
end
if old[1] then
  redis.call('HDEL', holds, unpack(old))
  redis.call('ZREM', ended, unpack(old))
end
local first = redis.call('ZRANGE', deadlines, 0, 0, 'WITHSCORES')
return {0, #lines, first[2] and math.max(0, first[2] - now) or -1, m[1], string.format('%.0f', seq)}
