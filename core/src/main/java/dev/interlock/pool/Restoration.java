// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.pool.PoolEvent.Claim;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What it takes to notice that Redis lost events of a pool, and to bring the pool back from a record of them. This is what
 * rebuilds are written on; the ledger's {@code Rebuild} is one.
 *
 * <p>The order is: {@link #seal} the next epoch, {@link #load} its claims, {@link #open} it. Each step may be repeated, by
 * any process; a higher epoch wins over a lower one. Thread-safe; blocking.
 */
public interface Restoration {
    /**
     * A point in the life of a pool.
     *
     * @param epoch life of the pool, 0 for nothing known
     * @param sequence number of an event in it
     */
    record Point(long epoch, long sequence) {
        /** Nothing is known. */
        public static final Point NOTHING = new Point(0, 0);

        /**
         * Compares two points.
         *
         * @param other the other one
         * @return whether this one is later
         */
        public boolean isAfter(Point other) {
            return epoch > other.epoch || (epoch == other.epoch && sequence > other.sequence);
        }

        /**
         * Chooses the later of two points.
         *
         * @param other the other one
         * @return that one if it is later, else this one
         */
        public Point later(Point other) {
            return other.isAfter(this) ? other : this;
        }
    }

    /**
     * The pool as it begins its next epoch.
     *
     * @param config units left as its total, limit per user, times and epoch
     * @param sequence number of the event that creates it, 0 to 10^14
     * @param users how many users hold a unit; must be the number that was loaded
     * @param arrived for each other shard the latest of its events whose units are among these; empty for a pool that is not
     *     parted
     */
    record Opening(PoolConfig config, long sequence, long users, Map<Integer, Point> arrived) {
        /**
         * Of a pool that is not parted.
         *
         * @param config units left as its total, limit per user, times and epoch
         * @param sequence number of the event that creates it, 0 to 10^14
         * @param users how many users hold a unit
         */
        public Opening(PoolConfig config, long sequence, long users) {
            this(config, sequence, users, Map.of());
        }
    }

    /**
     * Tells this JVM of an event that is recorded, so that its next call carries it and Redis cannot pass for complete
     * without it. What is known already stays. Nothing is sent.
     *
     * @param point an event that surely happened, or {@link Point#NOTHING} to forget all after the pool was dropped
     */
    void remind(Point point);

    /**
     * The latest event that this JVM knows of.
     *
     * @return the event, or {@link Point#NOTHING}
     */
    Point seen();

    /**
     * The latest event of one epoch that this JVM knows of.
     *
     * @param epoch life of the pool
     * @return the event; empty unless the epoch is the latest known, or the one before
     */
    Optional<Point> seen(long epoch);

    /**
     * Asks to be called whenever a call meets a Redis that went back in time. While somebody watches, callers are told
     * {@link IssueResult.Rebuilding} instead of getting an exception.
     *
     * @param restorer called on an I/O thread, perhaps often: it must not block
     * @return ends it
     */
    Runnable watch(Runnable restorer);

    /**
     * The other shards of the pool.
     *
     * @return the shards; nothing is sent
     */
    Siblings siblings();

    /**
     * Fences the pool, whatever is left of it, for the preparation of an epoch. A pool that is gone is fenced too: nobody can
     * create it until then.
     *
     * @param epoch the epoch to prepare, higher than any before, 2 to 10^12
     * @return whether it is sealed for it; false if the pool is in that epoch, or in or sealed for a higher one
     */
    boolean seal(long epoch);

    /**
     * Writes claims of the epoch that is prepared beside those of the pool. One script call.
     *
     * @param epoch the epoch
     * @param claims at most 5,000, all units of each user in one call
     * @return whether the pool is still sealed for it
     */
    boolean load(long epoch, List<Claim> claims);

    /**
     * Puts what was loaded in place of the pool, of its outbox and of its journal, and opens it. One script call.
     *
     * @param opening what the epoch begins with
     * @return whether it was opened, now or before; false if the pool is not sealed for it or not all users are loaded
     */
    boolean open(Opening opening);
}
