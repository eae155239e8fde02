-- SPDX-License-Identifier: Apache-2.0

-- The campaigns and products that operators have made. Units are decided in Redis and recorded in interlock_event; these
-- rows say what there is. ready: whether the pool was created in Redis, which happens after the row is committed.
-- terms: what was asked for, so that a request id is not used for two things.
CREATE TABLE flashsale_sale (
    id             bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind           text        NOT NULL CHECK (kind IN ('campaign', 'product')),
    name           text        NOT NULL,
    units          bigint      NOT NULL CHECK (units BETWEEN 1 AND 1000000000000),
    limit_per_user int         NOT NULL CHECK (limit_per_user BETWEEN 1 AND 100),
    opens_at       timestamptz,
    closes_at      timestamptz,
    ready          boolean     NOT NULL DEFAULT false,
    request_id     text        NOT NULL,
    terms          text        NOT NULL,
    created_by     text        NOT NULL,
    created_at     timestamptz NOT NULL DEFAULT now(),
    UNIQUE (created_by, request_id)
);

-- Pieces of a product that are not sold through its pool: the row is decreased under a lock, guarded by its fence.
CREATE TABLE flashsale_stock (
    product_id bigint PRIMARY KEY REFERENCES flashsale_sale (id),
    pieces     bigint NOT NULL CHECK (pieces BETWEEN 0 AND 1000000000000),
    fence      bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- Each decrease once, with its answer.
CREATE TABLE flashsale_decrease (
    product_id bigint      NOT NULL REFERENCES flashsale_sale (id),
    user_id    text        NOT NULL,
    request_id text        NOT NULL,
    quantity   bigint      NOT NULL CHECK (quantity > 0),
    pieces     bigint      NOT NULL CHECK (pieces >= 0),
    fence      bigint      NOT NULL,
    at         timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (product_id, user_id, request_id)
);

-- Who did what and why. Rows are only ever added.
CREATE TABLE flashsale_audit (
    id       bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    operator text        NOT NULL,
    action   text        NOT NULL,
    target   text        NOT NULL,
    reason   text        NOT NULL,
    at       timestamptz NOT NULL DEFAULT now()
);
