// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.pool.Restoration.Point;
import java.util.Optional;

/**
 * The shards of one pool, as one of them sees the others. Units may be under way between them when one is rebuilt: they have
 * left one and have not arrived in the other, or one side has forgotten them. This is what it takes to bring them to an end.
 *
 * <p>Thread-safe; blocking.
 */
public interface Siblings {
    /**
     * Which shard this is.
     *
     * @return its number, from 0; 0 for a pool that is not parted
     */
    int self();

    /**
     * How many shards there are.
     *
     * @return 1 for a pool that is not parted
     */
    int count();

    /**
     * Makes another shard refuse, for ever, the units that this one sent before a point and that have not arrived yet. One
     * script call.
     *
     * @param sibling the other shard, from 0
     * @param before the point in the life of this shard
     * @return the latest event of the other shard, which is after all arrivals of such units; empty if the shard is gone, or
     *     is being prepared for its own next epoch: then nothing changed
     * @throws IllegalArgumentException before anything is sent, if there is no such other shard
     */
    Optional<Point> refuse(int sibling, Point before);
}
