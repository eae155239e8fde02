// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import dev.interlock.ledger.EpochJournal.Begun;
import dev.interlock.ledger.Ledger.Position;
import dev.interlock.ledger.RelayStatus.State;
import dev.interlock.pool.Outbox;
import dev.interlock.pool.OutboxEntry;
import dev.interlock.pool.PoolEvent;
import dev.interlock.pool.PoolEvent.Claim;
import dev.interlock.pool.PoolEvent.Kind;
import dev.interlock.pool.PoolState;
import dev.interlock.pool.Restoration;
import dev.interlock.pool.Restoration.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a relay does about a Redis that went back in time: alarms once, then rebuilds, or keeps the pool fenced until somebody
 * starts a higher epoch. Also tells the calls of this JVM what is recorded, so that they notice.
 */
final class Regression implements AutoCloseable {
    private static final String HOLDER = "regressed";

    private final Outbox outbox;
    private final Restoration restoration;
    private final Journal journal;
    private final EpochJournal epochs;
    private final Restorer restorer;
    private final boolean rebuilds;
    private final Telling telling;
    private final Runnable unwatch;
    private volatile boolean signalled;
    private boolean alarmed;
    private boolean active;
    private long reportedEpoch;
    private long endEpoch;

    Regression(Outbox outbox, Journal journal, Recorder recorder, RelayOptions options, Telling telling) {
        this.outbox = outbox;
        this.restoration = outbox.restoration();
        this.journal = journal;
        this.epochs = journal.epochs();
        this.restorer = new Restorer(outbox, journal, recorder, telling);
        this.rebuilds = options.trouble().rebuild();
        this.telling = telling;
        this.unwatch = rebuilds ? restoration.watch(this::signal) : () -> {};
    }

    private void signal() {
        signalled = true;
    }

    /** Whether Redis is known to be behind, and was not put right yet. */
    boolean isActive() {
        return active;
    }

    /** Whether a call of this JVM has met a Redis that went back in time; asked once. */
    boolean takeSignal() {
        boolean was = signalled;
        signalled = false;
        return was;
    }

    /** The latest event known to this JVM; to be asked before Redis is. */
    Point seen() {
        return restoration.seen();
    }

    /** Tells this JVM's calls what is recorded, and everybody what of an ended epoch was known here and is lost. */
    void learn(Position position) {
        if (position.sequence() < 0) {
            return;
        }
        if (journal.dropped(position)) {
            restoration.remind(Point.NOTHING);
            return;
        }
        if (position.epoch() > reportedEpoch) {
            epochs.find(position.epoch()).ifPresent(this::reportLost);
            reportedEpoch = position.epoch();
        }
        restoration.remind(position.point());
    }

    private void reportLost(Begun epoch) {
        long known = restoration.seen(epoch.before()).map(Point::sequence).orElse(-1L);
        if (known > epoch.seen()) {
            epochs.seen(epoch, known)
                    .ifPresent(
                            before -> telling.tell(listener -> listener.lostClaims(epoch.before(), before + 1, known)));
        }
    }

    /** Whether units with numbers up to the position are not those recorded: Redis lost those and gave the numbers away. */
    boolean isForked(Position from, List<OutboxEntry> entries) {
        List<Claim> before = new ArrayList<>();
        for (OutboxEntry entry : entries) {
            for (PoolEvent event : entry.events()) {
                boolean again = event.position().epoch() == from.epoch()
                        && event.position().sequence() <= from.sequence();
                if (again && event.claim() != null && event.kind() == Kind.ISSUED) {
                    before.add(event.claim());
                }
            }
        }
        return !before.isEmpty() && !epochs.allRecorded(from.epoch(), before);
    }

    /**
     * Redis is behind a position that was just loaded, or has other events than those recorded.
     *
     * @param found the latest event of Redis
     * @param forked whether it has other events, so that the sequence does not tell
     */
    State begin(Position position, long found, boolean forked) {
        endEpoch = forked ? position.epoch() : 0;
        active = true;
        if (!alarmed) {
            alarmed = true;
            telling.tell(listener -> listener.regressed(position.sequence(), found));
        }
        return resume(position);
    }

    /** Rebuilds, or watches until a higher epoch starts. */
    State resume(Position position) {
        if (rebuilds) {
            return rebuild();
        }
        Point seen = restoration.seen(); // before Redis is asked, or it would seem behind
        Optional<Outbox.Backlog> backlog = outbox.backlog(position.streamId());
        if (!isBehind(position.point(), seen, backlog) && position.epoch() > endEpoch) {
            end();
            return State.RECORDING;
        }
        if (backlog.isEmpty()) {
            return State.NO_POOL;
        }
        PoolState state = backlog.get().state();
        if (!state.fenced()) {
            outbox.fence(state.epoch(), HOLDER);
        }
        return State.REGRESSED;
    }

    /** Whether Redis knows less than it should, or somebody is rebuilding or has died over it. */
    static boolean isBehind(Point recorded, Point seen, Optional<Outbox.Backlog> backlog) {
        Point found = backlog.map(Outbox.Backlog::state)
                .map(state -> new Point(state.epoch(), state.sequence()))
                .orElse(Point.NOTHING);
        return recorded.isAfter(found)
                || seen.isAfter(found)
                || backlog.isEmpty()
                || backlog.get().sealedFor() > 0;
    }

    private State rebuild() {
        RebuildResult result = restorer.run(endEpoch);
        if (result instanceof RebuildResult.NoRecord) {
            end();
            return State.NO_POOL;
        }
        if (result instanceof RebuildResult.LeftToAnother) {
            return State.REGRESSED;
        }
        end();
        return State.RECORDING;
    }

    private void end() {
        active = false;
        alarmed = false;
    }

    @Override
    public void close() {
        unwatch.run();
    }
}
