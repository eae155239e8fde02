-- SPDX-License-Identifier: Apache-2.0

-- Epochs that a rebuild began; an epoch that Pool.create began has no row. first_seq is the event that created it: numbers
-- go on from the epoch before, so none is used twice. recorded is the latest event of the epoch before that the ledger has,
-- seen the latest that a node had been told of: what lies between is lost. opened_at is set before Redis is switched over.
CREATE TABLE interlock_epoch (
    pool       text        NOT NULL,
    shard      int         NOT NULL,
    epoch      bigint      NOT NULL,
    before     bigint      NOT NULL,
    first_seq  bigint      NOT NULL,
    recorded   bigint      NOT NULL,
    seen       bigint      NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    opened_at  timestamptz,
    PRIMARY KEY (pool, shard, epoch)
);

-- Finds out whether a request was recorded before and revoked since; interlock_event_held has the others.
CREATE INDEX interlock_event_revoked ON interlock_event (pool, user_id) WHERE kind = 'ISSUED' AND revoked_by IS NOT NULL;
