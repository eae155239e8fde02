#!lua flags=allow-oom
-- SPDX-License-Identifier: Apache-2.0
-- Forgets a transfer that has arrived, so that the next one to the same shard may be sent.
--
-- KEYS[1] outgoing  hash, the open transfer to each other shard: "epoch SPACE sequence SPACE quantity"
-- ARGV[1] to        number of the other shard
-- ARGV[2] transfer  as it was sent
-- Returns {0}
-- Cost    O(1)
-- Retry   safe: by transfer
local outgoing = KEYS[1]
local to, transfer = ARGV[1], ARGV[2]

if redis.call('HGET', outgoing, to) == transfer then
  redis.call('HDEL', outgoing, to)
end
return {0}
