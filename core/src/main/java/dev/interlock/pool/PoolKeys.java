// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.internal.Keys;

/** The keys of one shard of a pool; all share the slot of {@code {pool.shard}}. */
final class PoolKeys {
    private static final String PRIMITIVE = "pool";

    final byte[] meta;
    final byte[] claims;
    final byte[] outbox;
    final byte[] journal;
    final byte[] version;
    final byte[] holds;
    final byte[] deadlines;
    final byte[] ended;
    final byte[] log;
    final byte[] mark;
    final byte[] recorded;
    final byte[] outgoing;
    final byte[] incoming;

    /** The tag is "pool.shard", or "pool.shard/shards" if there are several: who counts them wrongly finds none. */
    PoolKeys(Keys keys, String name, Shard shard) {
        String tag = name + '.' + shard;
        meta = keys.part(PRIMITIVE, tag, "meta");
        claims = keys.part(PRIMITIVE, tag, "claims");
        outbox = keys.part(PRIMITIVE, tag, "outbox");
        journal = keys.part(PRIMITIVE, tag, "journal");
        version = keys.part(PRIMITIVE, tag, "version");
        holds = keys.part(PRIMITIVE, tag, "holds");
        deadlines = keys.part(PRIMITIVE, tag, "deadlines");
        ended = keys.part(PRIMITIVE, tag, "ended");
        log = keys.part(PRIMITIVE, tag, "log");
        mark = keys.part(PRIMITIVE, tag, "mark");
        recorded = keys.part(PRIMITIVE, tag, "recorded");
        outgoing = keys.part(PRIMITIVE, tag, "outgoing");
        incoming = keys.part(PRIMITIVE, tag, "incoming");
    }
}
