// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import dev.interlock.ledger.EpochJournal.Begun;
import dev.interlock.ledger.Ledger.Position;
import dev.interlock.pool.Restoration.Point;
import dev.interlock.pool.Siblings;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Brings the units to an end that were under way between a shard that is rebuilt and the others. Of each other shard it needs
 * to know up to where its record is the truth:
 *
 * <pre>
 *  it is being rebuilt, too, and its next epoch has begun --- all that is recorded; it takes and sends nothing meanwhile
 *  it is well ---- made to refuse what this one sent before ---- what it has by then, once that is recorded
 *  else ---------- not yet known: its relay is about to find out that it must be rebuilt
 * </pre>
 */
final class Settlement {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Siblings siblings;
    private final Journal journal;
    private final Moves moves;

    /**
     * Units are at an end.
     *
     * @param at how far the shard is recorded now
     * @param ends for each other shard the latest of its events that counts here
     */
    record Settled(Position at, Map<Integer, Point> ends) {}

    Settlement(Siblings siblings, Journal journal) {
        this.siblings = siblings;
        this.journal = journal;
        this.moves = journal.moves();
    }

    /**
     * Settles what is under way.
     *
     * @param begun how far the next epoch of this shard is recorded
     * @return empty if another shard is not known well enough yet: ask again
     */
    Optional<Settled> settle(Position begun) {
        Map<Integer, Point> ends = new TreeMap<>();
        for (int other = 0; other < siblings.count(); other++) {
            if (other != siblings.self()) {
                Optional<Point> end = end(other, begun.point());
                if (end.isEmpty()) {
                    return Optional.empty();
                }
                ends.put(other, end.get());
            }
        }
        return Optional.of(new Settled(ends.isEmpty() ? begun : moves.settle(begun, ends), ends));
    }

    /** Within the transaction that opens the epoch: that nothing was decided since by another shard's rebuild. */
    void check(Settled settled) {
        if (!settled.ends().isEmpty()) {
            moves.checkEpochs(settled.ends());
        }
    }

    private Optional<Point> end(int other, Point here) {
        Journal its = journal.sibling(other);
        Optional<Position> at = its.find().filter(position -> position.sequence() >= 0);
        if (at.isEmpty()) {
            return Optional.empty();
        }
        Optional<Begun> begun = its.epochs().find(at.get().epoch());
        if (begun.filter(epoch -> !epoch.opened()).isPresent() || its.dropped(at.get())) {
            return at.map(Position::point);
        }
        Optional<Point> latest = siblings.refuse(other, here);
        return latest.filter(point -> !at.get().point().isAfter(point) && isRecorded(its, point));
    }

    private boolean isRecorded(Journal its, Point point) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (System.nanoTime() < end && !Thread.currentThread().isInterrupted()) {
            Point recorded = its.find().map(Position::point).orElse(Point.NOTHING);
            if (recorded.epoch() == point.epoch() && !point.isAfter(recorded)) {
                return true;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return false;
    }
}
