-- SPDX-License-Identifier: Apache-2.0

-- How far the events of a pool were published onward. The rows of interlock_event are the transactional outbox: they are
-- written with the position of the relay and never change in number, so a place in their order is all there is to keep.
CREATE TABLE interlock_onward (
    pool        text        NOT NULL,
    shard       int         NOT NULL,
    epoch       bigint      NOT NULL,
    seq         bigint      NOT NULL,
    owner       text        NOT NULL,
    lease_until timestamptz NOT NULL,
    PRIMARY KEY (pool, shard)
) WITH (fillfactor = 50);
