-- SPDX-License-Identifier: Apache-2.0

-- Units that moved between the shards of a pool. They are known by the event that sent them: its shard, epoch and number.
CREATE INDEX interlock_event_moved ON interlock_event (pool, shard) WHERE kind IN ('MOVED_OUT', 'MOVED_IN');

-- The note of a departure is the other shard; if a rebuild wrote it, also the epoch and number that it had when it was lost.
CREATE VIEW interlock_sent AS
SELECT pool,
       shard                                                           AS source,
       cast(split_part(note, ' ', 1) AS int)                           AS target,
       coalesce(cast(nullif(split_part(note, ' ', 2), '') AS bigint), epoch) AS epoch,
       coalesce(cast(nullif(split_part(note, ' ', 3), '') AS bigint), seq)   AS seq,
       -delta                                                          AS units
FROM interlock_event
WHERE kind = 'MOVED_OUT';

-- The note of an arrival is the shard, epoch and number of the departure. Units that a rebuild took back arrived where they left.
CREATE VIEW interlock_arrived AS
SELECT pool,
       cast(split_part(note, ' ', 1) AS int)    AS source,
       shard                                    AS target,
       cast(split_part(note, ' ', 2) AS bigint) AS epoch,
       cast(split_part(note, ' ', 3) AS bigint) AS seq,
       delta                                    AS units
FROM interlock_event
WHERE kind = 'MOVED_IN';
