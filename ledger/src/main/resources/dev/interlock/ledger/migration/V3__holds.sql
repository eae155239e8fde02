-- SPDX-License-Identifier: Apache-2.0

-- Which hold an event of kind HELD, CANCELLED, EXPIRED or ISSUED is about, and until when it holds. A HELD event has user_id
-- and request_id too. Held units whose hold has no later event are held still.
ALTER TABLE interlock_event ADD COLUMN hold text, ADD COLUMN deadline timestamptz;

CREATE INDEX interlock_event_hold ON interlock_event (pool, epoch, shard, hold) WHERE hold IS NOT NULL;
