// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.internal.Keys;

/** The keys of one shard of a pool; all share the slot of {@code {pool.shard}}. */
record PoolKeys(byte[] meta, byte[] claims, byte[] outbox, byte[] journal, byte[] version) {
    private static final String PRIMITIVE = "pool";

    static PoolKeys of(Keys keys, String name, int shard) {
        String tag = name + '.' + shard;
        return new PoolKeys(
                keys.part(PRIMITIVE, tag, "meta"),
                keys.part(PRIMITIVE, tag, "claims"),
                keys.part(PRIMITIVE, tag, "outbox"),
                keys.part(PRIMITIVE, tag, "journal"),
                keys.part(PRIMITIVE, tag, "version"));
    }
}
