#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Issues one unit to each request of a batch, in order. For each: this request, this user, opening times, units left.
-- A claim is a line "nth TAB sequence TAB request LF" for each unit of a user; the event has such lines after "user TAB".
-- Sequences stay below 10^14, up to where Lua writes a whole number with all its digits.
--
-- KEYS[1] meta    hash, the state of the pool
-- KEYS[2] claims  hash, who holds which unit
-- KEYS[3] outbox  stream, the events that wait to be recorded
-- KEYS[4] deadlines  sorted set, when each hold ends
-- ARGV[1] epoch   highest the caller has seen, 0..10^12
-- ARGV[2] seen    highest sequence of that epoch the caller has seen, 0..2^53
-- ARGV[3..] all users of the batch, then all their requests in the same order, at most 256 of each
-- Returns {0, left, seq, epoch, version, when, codes, sequence...}: one code a request (0 issued, 1 replayed, 2 already
--         issued, 3 sold out, 4 not open, 5 closed), a sequence for each code 0 to 2; left and seq after the whole batch;
--         when the pool opens (4) or the next hold ends (3; microseconds from now, -1 for none);
--         or {1} no pool; {2} fenced; {3, epoch, seq} went back in time; {4} corrupt; {5} sweep expired holds first
-- Cost    O(batch)
-- Retry   safe: by request
local meta, claims, outbox, deadlines = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local m = redis.call('HMGET', meta, 'epoch', 'seq', 'left', 'limit', 'opens', 'closes', 'state', 'version')
if not m[1] then
  return {1}
end
local epoch, seq, left, limit = tonumber(m[1]), tonumber(m[2]), tonumber(m[3]), tonumber(m[4])
local opens, closes = tonumber(m[5]), tonumber(m[6])
if not (epoch and seq and left and limit and opens and closes and m[8]) or left ~= math.floor(left) then
  return {4}
elseif epoch < tonumber(ARGV[1]) or epoch == tonumber(ARGV[1]) and seq < tonumber(ARGV[2]) then
  return {3, m[1], m[2]}
elseif m[7] ~= 'open' then
  return {2}
end
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local early = now < opens and '4' or now >= closes and '5'

local count, find = (#ARGV - 2) / 2, string.find
local held = redis.call('HMGET', claims, unpack(ARGV, 3, 2 + count))
local first, fresh, changed, event, issued, codes, ask = seq + 1, {}, {}, {}, 0, {}, false
local reply, size = {0, 0, 0, m[1], m[8], 0, ''}, 7
for i = 1, count do
  local user, request = ARGV[2 + i], ARGV[2 + count + i]
  local claim, units, nth, at, code = fresh[user] or held[i] or '', 0, 1, nil, '0'
  if claim ~= '' then
    units = select(2, string.gsub(claim, '\n', ''))
    at = find(claim, '\t' .. request .. '\n', 1, true)
    for free = limit, 1, -1 do
      nth = find('\n' .. claim, '\n' .. free .. '\t', 1, true) and nth or free
    end
  end
  if at then
    code, size, reply[size + 1] = '1', size + 1, string.match(string.sub(claim, 1, at - 1), '(%d+)$')
  elseif units >= limit then
    code, size, reply[size + 1] = '2', size + 1, string.match(claim, '\t(%d+)\t[^\t\n]*\n$')
    ask = ask or find(claim, '\t h', 1, true)
  elseif early or left <= 0 then
    code, ask = early or '3', true
  else
    seq, left = seq + 1, left - 1
    local unit = nth .. '\t' .. seq .. '\t' .. request .. '\n'
    fresh[user] = claim .. unit
    changed[issued + 1], changed[issued + 2] = user, fresh[user]
    event[issued + 1], event[issued + 2] = user .. '\t', unit
    issued, size, reply[size + 1] = issued + 2, size + 1, seq
  end
  codes[i] = code
end
local ends = ask and redis.call('ZRANGE', deadlines, 0, 0, 'WITHSCORES')[2]
if ends and tonumber(ends) <= now then
  return {5}
end
if issued > 0 then
  redis.call('XADD', outbox, '*', 'h', string.format('I %s %.0f %.0f', m[1], first, now), 'units', table.concat(event))
  redis.call('HSET', claims, unpack(changed, 1, issued))
  redis.call('HSET', meta, 'seq', string.format('%.0f', seq), 'left', string.format('%.0f', left))
end
reply[2], reply[3], reply[6], reply[7] = left, seq, early and m[5] or ends and ends - now or -1, table.concat(codes)
return reply
