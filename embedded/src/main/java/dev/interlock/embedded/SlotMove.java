// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import java.util.List;

/**
 * A slot on its way from one master to another. Until it is closed, clients that ask for a key that has gone meet ASK, and a
 * script whose keys are on both sides meets TRYAGAIN. Not thread-safe.
 */
public final class SlotMove implements AutoCloseable {
    private static final String MIGRATE_MILLIS = "5000";
    private static final String AT_ONCE = "100";

    private final RedisCluster cluster;
    private final int slot;
    private final RedisServer from;
    private final RedisServer to;

    SlotMove(RedisCluster cluster, int slot, RedisServer from, RedisServer to) {
        this.cluster = cluster;
        this.slot = slot;
        this.from = from;
        this.to = to;
    }

    /**
     * Moves one key, whether it exists or not.
     *
     * @param key the key
     * @throws IllegalStateException when the server refuses
     */
    public void key(String key) {
        String reply = from.command("MIGRATE", "127.0.0.1", "" + to.port(), key, "0", MIGRATE_MILLIS)
                .get(0);
        if (!reply.equals("+OK") && !reply.equals("+NOKEY")) {
            throw new IllegalStateException("MIGRATE of " + key + " from " + from + " to " + to + ": " + reply);
        }
    }

    private List<String> left() {
        return from.command("CLUSTER", "GETKEYSINSLOT", "" + slot, AT_ONCE);
    }

    /** Hands the slot over and waits until every living node knows; keys that were not moved go now. */
    @Override
    public void close() {
        for (List<String> keys = left(); !keys.isEmpty(); keys = left()) { // new ones are born on the other side
            keys.forEach(this::key);
        }
        cluster.finishMove(slot, from, to);
    }
}
