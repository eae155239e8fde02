-- SPDX-License-Identifier: Apache-2.0

-- The largest fence that has written to a resource that has no column for it. A row must not be forgotten while an older
-- holder may still be paused somewhere.
CREATE TABLE interlock_fence (
    resource text        PRIMARY KEY,
    fence    bigint      NOT NULL CHECK (fence BETWEEN 1 AND 9007199254740991),
    seen_at  timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
