// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import dev.interlock.ledger.Ledger.Position;
import dev.interlock.ledger.RelayStatus.State;
import dev.interlock.pool.Outbox;
import dev.interlock.pool.OutboxEntry;
import dev.interlock.pool.Pool;
import dev.interlock.pool.PoolEvent;
import dev.interlock.pool.PoolState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One relay's work, in steps; used by one thread.
 *
 * <pre>
 *            no position: NO_POOL            lease held by another: STANDBY
 *                  \                              /
 *  (unknown) ---- take seat ---- RECORDING ---- gap ---- REBUILDING ---- RECORDING
 *      ^                             |
 *      +--- Moved, any failure       +---- back in time ---- REGRESSED ---- higher epoch ---- RECORDING
 * </pre>
 *
 * The position in memory is only a belief: each change is a compare-and-set in the database, and what looks like a loss is
 * judged after loading it again, because another relay may have recorded and trimmed meanwhile.
 */
final class Recording {
    private static final Duration RETURNS_EVERY = Duration.ofSeconds(10);
    private static final int LEAST_BATCH = 50;
    private static final int MOST_ENTRIES = 500;

    private final Outbox outbox;
    private final Journal journal;
    private final Recorder recorder;
    private final Recovery recovery;
    private final Telling telling;
    private final RelayOptions options;

    private @Nullable Position at;
    private int batch;
    private long seatNanos;
    private long returnsNanos = System.nanoTime();
    private boolean alarmed;
    private boolean regressed;
    private long lag;

    Recording(Pool pool, Outbox outbox, Journal journal, RelayOptions options, Telling telling) {
        this.outbox = outbox;
        this.journal = journal;
        this.recorder = new Recorder(journal, pool, telling);
        this.recovery = new Recovery(outbox, journal, recorder, telling);
        this.telling = telling;
        this.options = options;
        this.batch = options.batchEvents();
    }

    /** Does one piece of work. Unless the answer is RECORDING the caller waits before the next. */
    State step() {
        try {
            Position position = at;
            if (position == null
                    || System.nanoTime() - seatNanos > options.lease().toNanos() / 3) {
                Optional<Journal.Seat> seat = journal.takeSeat();
                if (seat.isEmpty()) {
                    return firstContact();
                }
                seatNanos = System.nanoTime();
                position = seat.get().position();
                at = seat.get().held() ? position : null;
                if (at == null) {
                    return State.STANDBY;
                }
            }
            return work(position);
        } catch (Moved e) {
            at = null;
            return State.RECORDING;
        } catch (RuntimeException e) {
            at = null;
            // A batch that is too much for the time-out of a slow database would fail for ever.
            batch = Math.min(batch, Math.max(LEAST_BATCH, batch / 2));
            throw e;
        }
    }

    private State firstContact() {
        Optional<Outbox.Backlog> backlog = outbox.backlog(Outbox.START);
        if (backlog.isEmpty()) {
            return State.NO_POOL;
        }
        journal.begin(backlog.get().state().epoch());
        return State.RECORDING;
    }

    private State work(Position position) {
        if (position.rebuilding()) {
            Recovery.Outcome outcome = recovery.run(position);
            at = outcome.at();
            return outcome.state();
        }
        if (regressed) {
            return watch(position);
        }
        boolean returnsDue = System.nanoTime() - returnsNanos > RETURNS_EVERY.toNanos();
        if (returnsDue) {
            returnsNanos = System.nanoTime();
        }
        recorder.returnUnits(position.epoch(), returnsDue);
        List<OutboxEntry> entries = outbox.read(position.streamId(), Math.min(batch, MOST_ENTRIES), options.poll());
        return entries.isEmpty() ? idle(position) : record(position, entries);
    }

    private State record(Position from, List<OutboxEntry> entries) {
        Position position = from;
        List<Line> lines = new ArrayList<>();
        for (OutboxEntry entry : entries) {
            if (entry.unreadable() != null) {
                position = recorder.bury(flush(position, lines), entry);
                continue;
            }
            for (int i = 0; i < entry.events().size(); i++) {
                PoolEvent event = entry.events().get(i);
                long next = 1
                        + (lines.isEmpty()
                                ? position.sequence()
                                : lines.get(lines.size() - 1).sequence());
                if (event.position().epoch() > position.epoch()) {
                    position =
                            startEpoch(flush(position, lines), event.position().epoch());
                    next = 0;
                }
                if (event.position().epoch() < position.epoch()) {
                    continue; // what an ended epoch left behind; whether Redis went back shows in its state
                }
                if (event.kind() == PoolEvent.Kind.CREATED && next > 0) {
                    return regress(flush(position, lines), 0);
                }
                if (event.position().sequence() > next) {
                    return lost(flush(position, lines));
                }
                if (event.position().sequence() == next) {
                    lines.add(new Line(event, i == entry.events().size() - 1 ? entry.id() : null));
                }
                if (lines.size() >= batch) {
                    position = flush(position, lines);
                }
            }
        }
        position = flush(position, lines);
        String last = entries.get(entries.size() - 1).id();
        if (!last.equals(position.streamId())) {
            // Everything at the end was recorded before: nothing to insert, but the stream id moves.
            position = journal.move(position, new Position(position.epoch(), position.sequence(), last, false));
        }
        return finish(position);
    }

    private Position flush(Position position, List<Line> lines) {
        if (lines.isEmpty()) {
            return position;
        }
        Position to = recorder.record(position, lines);
        at = to;
        seatNanos = System.nanoTime();
        alarmed = false;
        batch = Math.min(options.batchEvents(), batch * 2);
        int events = lines.size();
        lines.clear();
        lag = outbox.backlog(to.streamId())
                .map(ahead -> ahead.state().sequence() - to.sequence())
                .orElse(0L);
        telling.tell(listener -> listener.recorded(events, lag));
        return to;
    }

    private State finish(Position position) {
        at = position;
        outbox.trim(position.streamId()); // after the commit, never before
        return State.RECORDING;
    }

    private Position startEpoch(Position position, long epoch) {
        return journal.move(position, new Position(epoch, -1, position.streamId(), false));
    }

    private State idle(Position position) {
        Optional<Outbox.Backlog> backlog = outbox.backlog(position.streamId());
        if (backlog.isEmpty()) {
            boolean ended = position.sequence() < 0 || journal.dropped(position);
            return ended ? State.NO_POOL : regress(position, -1);
        }
        PoolState state = backlog.get().state();
        if (state.epoch() > position.epoch()) {
            if (backlog.get().next().isEmpty()) {
                // A new life whose ids lie before the old ones, because the clock of Redis went back.
                at = journal.move(position, new Position(state.epoch(), -1, Outbox.START, false));
            }
            return State.RECORDING;
        }
        if (state.epoch() < position.epoch() || state.sequence() < position.sequence()) {
            return regress(position, state.sequence());
        }
        lag = state.sequence() - position.sequence();
        long next = backlog.get().next().orElse(Long.MAX_VALUE);
        return lag > 0 && next > position.sequence() + 1 ? lost(position) : State.RECORDING;
    }

    /** Events are missing, unless this relay was misled: by another one, or by entries that came meanwhile. */
    private State lost(Position believed) {
        Position position = journal.position();
        at = position;
        if (!position.equals(believed)) {
            return State.RECORDING;
        }
        List<OutboxEntry> next = outbox.read(position.streamId(), 1, Duration.ZERO);
        boolean goesOn = !next.isEmpty()
                && (next.get(0).events().isEmpty()
                        || next.get(0).events().get(0).position().sequence() <= position.sequence() + 1);
        if (goesOn) {
            return State.RECORDING;
        }
        Recovery.Outcome outcome = recovery.start(position);
        at = outcome.at();
        return outcome.state();
    }

    private State regress(Position believed, long found) {
        Position position = journal.position();
        at = position;
        if (!position.equals(believed)) {
            return State.RECORDING;
        }
        regressed = true;
        if (!alarmed) {
            alarmed = true;
            telling.tell(listener -> listener.regressed(position.sequence(), found));
        }
        return watch(position);
    }

    /** Redis is behind the ledger: keeps the pool fenced until a higher epoch starts. */
    private State watch(Position position) {
        Optional<Outbox.Backlog> backlog = outbox.backlog(position.streamId());
        if (backlog.isEmpty()) {
            return State.NO_POOL;
        }
        PoolState state = backlog.get().state();
        if (state.epoch() > position.epoch()) {
            regressed = false;
            return State.RECORDING;
        }
        if (!state.fenced()) {
            outbox.fence(state.epoch());
        }
        return State.REGRESSED;
    }

    /** Asks Redis how far the pool is ahead, for when the database cannot be asked. */
    long measureLag(long recorded) {
        lag = outbox.backlog(Outbox.START)
                .map(ahead -> ahead.state().sequence() - recorded)
                .orElse(lag);
        return lag;
    }

    long lag() {
        return lag;
    }

    /** The latest known position, or null. */
    @Nullable
    Position at() {
        return at;
    }
}
