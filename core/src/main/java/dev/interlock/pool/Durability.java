// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.internal.Bounds;
import java.time.Duration;

/**
 * How far a change must have got before its caller hears of it. Each level survives more than the one before it; none undoes
 * a change that does not reach it.
 *
 * @param level what is waited for
 * @param replicas how many replicas must have it, 1 to 100, for {@link Level#REPLICATED}; else 0
 * @param patience how long to wait for it after the change was made, 1 ms to 1 minute
 */
public record Durability(Level level, int replicas, Duration patience) {
    /** Default of {@link #patience()}. */
    public static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(1);
    /** Redis has it in memory. Nothing is waited for. */
    public static final Durability MEMORY = new Durability(Level.MEMORY, 0, DEFAULT_PATIENCE);
    /** Redis has it on its disk. Needs Redis 7.2 and {@code appendonly yes}. */
    public static final Durability FSYNCED = new Durability(Level.FSYNCED, 0, DEFAULT_PATIENCE);
    /** A relay has committed it to the database. */
    public static final Durability RECORDED = new Durability(Level.RECORDED, 0, DEFAULT_PATIENCE);

    private static final int MAX_REPLICAS = 100;
    private static final Duration MIN_PATIENCE = Duration.ofMillis(1);
    private static final Duration MAX_PATIENCE = Duration.ofMinutes(1);

    /** How far a change has got. */
    public enum Level {
        /** In the memory of the master: lost if that dies before its replicas or its disk have it. */
        MEMORY,
        /**
         * In the memory of so many replicas as well. Still lost if one that lacks it is promoted, or if all of them die
         * together.
         */
        REPLICATED,
        /** On the disk of the master. */
        FSYNCED,
        /** Committed to the database of the ledger: survives the loss of all of Redis. */
        RECORDED
    }

    /**
     * Checks every part.
     *
     * @throws IllegalArgumentException if one lies outside its range
     */
    public Durability {
        if (level == Level.REPLICATED) {
            Bounds.range("replicas", replicas, 1, MAX_REPLICAS);
        } else {
            Bounds.range("replicas", replicas, 0, 0);
        }
        Bounds.millis("patience", patience, MIN_PATIENCE, MAX_PATIENCE);
    }

    /**
     * Replicas have it in memory.
     *
     * @param replicas how many, 1 to 100
     * @return the level
     * @throws IllegalArgumentException if the number lies outside
     */
    public static Durability replicated(int replicas) {
        return new Durability(Level.REPLICATED, replicas, DEFAULT_PATIENCE);
    }

    /**
     * The same with another time to wait.
     *
     * @param time 1 ms to 1 minute
     * @return the level
     */
    public Durability withPatience(Duration time) {
        return new Durability(level, replicas, time);
    }
}
