-- SPDX-License-Identifier: Apache-2.0

-- How far each shard of a pool is recorded. Moves only in the transaction that records.
CREATE TABLE interlock_position (
    pool        text        NOT NULL,
    shard       int         NOT NULL,
    epoch       bigint      NOT NULL,
    seq         bigint      NOT NULL,
    stream_id   text        NOT NULL,
    rebuilding  boolean     NOT NULL DEFAULT false,
    owner       text        NOT NULL,
    lease_until timestamptz NOT NULL,
    PRIMARY KEY (pool, shard)
) WITH (fillfactor = 50);

-- Every event once; seq is dense from 0 in each epoch. kind DEAD stands for an event in interlock_dead_event.
-- user_id, nth and request_id are those of an ISSUED event; a REVOKED event names that one by issue_seq.
CREATE TABLE interlock_event (
    pool        text        NOT NULL,
    epoch       bigint      NOT NULL,
    shard       int         NOT NULL,
    seq         bigint      NOT NULL,
    kind        text        NOT NULL,
    delta       bigint      NOT NULL,
    user_id     text,
    nth         int,
    request_id  text,
    issue_seq   bigint,
    note        text,
    revoked_by  bigint,
    occurred_at timestamptz NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (pool, epoch, shard, seq)
);

-- A user holds a unit once, over all epochs; it is free again when a later event revokes it.
CREATE UNIQUE INDEX interlock_event_held ON interlock_event (pool, user_id, nth)
    WHERE kind = 'ISSUED' AND revoked_by IS NULL;

-- Events that could not be recorded and entries that could not be read (seq is null).
-- unit_returned: whether the unit went back to the pool, null if the event held none.
CREATE TABLE interlock_dead_event (
    id            bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    pool          text        NOT NULL,
    epoch         bigint      NOT NULL,
    shard         int         NOT NULL,
    seq           bigint,
    user_id       text,
    request_id    text,
    stream_id     text        NOT NULL,
    payload       text        NOT NULL,
    error         text        NOT NULL,
    unit_returned boolean,
    occurred_at   timestamptz,
    recorded_at   timestamptz NOT NULL DEFAULT now(),
    UNIQUE (pool, epoch, shard, seq)
);

CREATE INDEX interlock_dead_event_owed ON interlock_dead_event (pool, shard) WHERE NOT unit_returned;
