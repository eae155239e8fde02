// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import java.util.List;

/**
 * A slot on its way from one master to another. Until it is closed, clients that ask for a key that has gone meet ASK, and a
 * script whose keys are on both sides meets TRYAGAIN. Not thread-safe.
 */
public final class SlotMove implements AutoCloseable {
    private static final String MIGRATE_MILLIS = "5000";
    private static final int AT_ONCE = 100;

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

    /**
     * Moves some keys of the slot.
     *
     * @param count how many, if it has as many
     */
    public void someKeys(int count) {
        left(count).forEach(this::key);
    }

    private List<String> left(int count) {
        return from.command("CLUSTER", "GETKEYSINSLOT", "" + slot, "" + count);
    }

    /** Hands the slot over and waits until every living node knows; keys that were not moved go now. */
    @Override
    public void close() {
        while (!left(1).isEmpty()) { // it ends: new ones are born on the other side
            someKeys(AT_ONCE);
        }
        cluster.finishMove(slot, from, to);
    }
}
