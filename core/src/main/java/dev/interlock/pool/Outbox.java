// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The events of a pool that a recorder has not yet taken over, in order. Every change of the pool is appended by the script
 * that makes it, so a change without an event cannot happen. This is what relays are written on.
 *
 * <p>Blocking by nature: use it from a thread of your own. It opens one connection; the pool's Interlock closes it. Reading
 * never removes anything; a recorder keeps the id it has reached and trims behind it.
 */
public interface Outbox extends AutoCloseable {
    /** The id before the first entry. */
    String START = "0-0";

    /**
     * How far the pool is ahead of a recorder; all values were read together.
     *
     * @param state the pool
     * @param next the sequence of the first event after the recorder's id, if there is an entry
     * @param fencedBy who fenced the pool, empty if it is open or sealed
     * @param sealedFor the epoch that is being prepared, 0 if none is
     */
    record Backlog(PoolState state, Optional<Long> next, String fencedBy, long sealedFor) {}

    /**
     * Reads the entries after an id, oldest first.
     *
     * @param afterId id of the last entry that is not wanted, {@link #START} for none
     * @param maxEntries 1 to 10,000
     * @param wait how long to wait for the first entry if there is none, 0 to 10 s
     * @return the entries, empty after the wait
     * @throws dev.interlock.InterlockException if Redis does not answer; nothing changed
     */
    List<OutboxEntry> read(String afterId, int maxEntries, Duration wait);

    /**
     * Compares the pool with a recorder's id.
     *
     * @param afterId id of the last recorded entry
     * @return the backlog, or empty if there is no such pool
     */
    Optional<Backlog> backlog(String afterId);

    /**
     * Removes entries that are recorded.
     *
     * @param throughId id of the last entry to remove
     */
    void trim(String throughId);

    /**
     * Derives events again whose entries were lost, from the claims that users hold and the pool's journal. The pool must be
     * fenced, so that nothing changes meanwhile. The time of a derived event is the time of this call.
     *
     * @param epoch life of the pool
     * @param after sequence after which to start
     * @return all events after it, in order; a gap means that the claims were lost too
     */
    List<PoolEvent> derive(long epoch, long after);

    /**
     * Fences the pool: until {@link #unfence unfence}, callers get {@link IssueResult.Rebuilding} and nothing changes.
     *
     * @param epoch life of the pool that is meant
     * @param holder who fences it; a later fence takes it over
     * @return whether that pool exists; it is fenced then
     * @throws IllegalArgumentException before anything is sent, if the holder is no name of 1 to 512 bytes
     */
    boolean fence(long epoch, String holder);

    /**
     * Opens a fenced pool again.
     *
     * @param epoch life of the pool that is meant
     * @param holder who fenced it
     * @return whether it is open; false if there is no such pool, if another holder fenced it last, or if its next epoch is
     *     being prepared; then nothing changed
     * @throws IllegalArgumentException before anything is sent, if the holder is no name of 1 to 512 bytes
     */
    boolean unfence(long epoch, String holder);

    /**
     * What it takes to bring the pool back after Redis lost it, whole or in part.
     *
     * @return the same pool and connection as this outbox
     */
    Restoration restoration();

    /** Closes the connection. */
    @Override
    void close();
}
