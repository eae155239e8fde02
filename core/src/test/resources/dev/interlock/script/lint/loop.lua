#!lua
-- SPDX-License-Identifier: Apache-2.0
-- Loops without a bound, and with one.
--
-- KEYS[1] list   list
-- KEYS[2..] more lists
-- ARGV[1] limit  integer, 1 to 100
-- Returns how often it looped
-- Cost    O(limit)
local i, n, limit = 0, 0, tonumber(ARGV[1])
while true do -- <- L09
  n = n + 1
end
while redis.call('LPOP', KEYS[1]) do -- <- L09
  n = n + 1
end
repeat -- <- L09
  local item = redis.call('LPOP', KEYS[1])
until not item
local known = tonumber(redis.call('GET', KEYS[1]))
while i < known do -- <- L09
  i = i + 1
end
while i < limit do -- <- L09
  i = i - 1
end
while i < limit do -- <- L09
  if n > 1 then
    i = i + 1
  end
end
local todo = { 1 }
while i <= #todo do -- <- L09
  todo[#todo + 1] = i
  i = i + 1
end
while i < limit or n < 5 do -- <- L09
  i = i + 1
end
-- Right:
while i < limit and redis.call('LPOP', KEYS[1]) do
  i = i + 1
end
repeat
  local item = redis.call('LPOP', KEYS[1])
  i = i + 1
until not item or i >= limit
while KEYS[i] do
  i = i + 1
end
while #todo > 0 do
  local item = table.remove(todo)
  n = n + item
end
while true do
  n = n - 2
  if n <= #KEYS then
    break
  end
end
while not (n + 1 >= 1000) do
  n = n + 1
end
for k = 1, known do
  n = n + k
end
while n do
  return n
end
return n
