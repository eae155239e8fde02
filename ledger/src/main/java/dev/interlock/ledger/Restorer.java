// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import dev.interlock.ledger.EpochJournal.Begun;
import dev.interlock.ledger.Ledger.Position;
import dev.interlock.ledger.RebuildResult.Rebuilt;
import dev.interlock.pool.Outbox;
import dev.interlock.pool.PoolConfig;
import dev.interlock.pool.PoolEvent;
import dev.interlock.pool.PoolState;
import dev.interlock.pool.Restoration;
import dev.interlock.pool.Restoration.Point;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rebuilds one pool from the ledger.
 *
 * <pre>
 *  Redis is behind -- seal(e+1) -- drain -- begin(e+1) -- settle -- carry over -- load -- opened_at -- switch -- open
 *                                             |                                              |
 *            whoever comes after a death here starts anew              here goes on from "settle";
 *            with the same seal, before "begin"                        after "opened_at" with epoch e+2
 * </pre>
 *
 * Each arrow is safe to repeat and safe to do twice at once: the position moves by compare-and-set, the seal and the switch
 * refuse a lower epoch, and what is loaded is the same for everybody.
 */
final class Restorer {
    private static final Logger log = LoggerFactory.getLogger(Restorer.class);
    private static final int TRIES = 5;
    /**
     * Each epoch has numbers of its own, from a multiple of this: another node may know of later events than this one does, and
     * a number that is told to be lost must not be another event's.
     */
    static final long NUMBERS = 1_000_000_000;

    private final Outbox outbox;
    private final Restoration restoration;
    private final Journal journal;
    private final EpochJournal epochs;
    private final Remains remains;
    private final Settlement settlement;
    private final Telling telling;

    Restorer(Outbox outbox, Journal journal, Recorder recorder, Telling telling) {
        this.outbox = outbox;
        this.restoration = outbox.restoration();
        this.journal = journal;
        this.epochs = journal.epochs();
        this.remains = new Remains(outbox, journal, recorder);
        this.settlement = new Settlement(restoration.siblings(), journal);
        this.telling = telling;
    }

    /** What Redis has, compared with what it should have. */
    private record Finding(Position at, Optional<Outbox.Backlog> backlog, Point seen) {
        boolean isBehind() {
            return Regression.isBehind(at.point(), seen, backlog);
        }

        /** What Redis itself says of an epoch whose events it has lost. */
        long knownOf(long epoch) {
            return backlog.map(Outbox.Backlog::state)
                    .filter(state -> state.epoch() == epoch)
                    .map(PoolState::sequence)
                    .orElse(-1L);
        }

        long nextEpoch() {
            long sealedFor = backlog.map(Outbox.Backlog::sealedFor).orElse(0L);
            long current = Math.max(
                    at.epoch(), backlog.map(found -> found.state().epoch()).orElse(0L));
            return Math.max(sealedFor, 1 + Math.max(current, seen.epoch()));
        }
    }

    /**
     * Rebuilds the pool if it must be.
     *
     * @param endEpoch an epoch that is to be left in any case, 0 for none
     */
    RebuildResult run(long endEpoch) {
        for (int i = 0; i < TRIES; i++) {
            Optional<Position> at = journal.find().filter(position -> position.sequence() >= 0);
            if (at.isEmpty() || journal.dropped(at.get())) {
                return new RebuildResult.NoRecord();
            }
            Point seen = restoration.seen(); // before Redis is asked, or it would seem behind
            Finding finding = new Finding(at.get(), outbox.backlog(at.get().streamId()), seen);
            Optional<Begun> begun = epochs.find(at.get().epoch()).filter(epoch -> !epoch.opened());
            if (begun.isEmpty() && at.get().epoch() > endEpoch && !finding.isBehind()) {
                PoolState state = finding.backlog().orElseThrow().state();
                return new RebuildResult.Current(state.epoch(), state.sequence());
            }
            try {
                Optional<Rebuilt> rebuilt = attempt(finding, begun);
                if (rebuilt.isPresent()) {
                    telling.tell(listener -> listener.rebuilt(rebuilt.get()));
                    return rebuilt.get();
                }
            } catch (Moved e) {
                log.debug("another process rebuilds the pool or records its events; looking again");
            }
        }
        return new RebuildResult.LeftToAnother();
    }

    /** Empty if somebody else came first. */
    private Optional<Rebuilt> attempt(Finding finding, Optional<Begun> begun) {
        if (begun.isPresent()) {
            // Sealed for this epoch before it began in the database; again in case Redis lost that too.
            return restoration.seal(begun.get().epoch()) ? build(finding.at(), begun.get()) : Optional.empty();
        }
        terms(finding.at().epoch()); // or the pool would stay sealed for ever
        long next = finding.nextEpoch();
        if (!restoration.seal(next)) {
            return Optional.empty();
        }
        Position drained = remains.drain(finding.at());
        Begun epoch = begin(drained, next, remains.isEmpty(drained) ? finding.knownOf(drained.epoch()) : -1);
        return build(new Position(next, epoch.first(), drained.streamId(), false), epoch);
    }

    private String terms(long epoch) {
        return epochs.terms(epoch)
                .orElseThrow(() -> new IllegalStateException("the ledger does not know the terms of epoch " + epoch
                        + ": create the pool with a higher epoch by hand"));
    }

    private Begun begin(Position drained, long next, long known) {
        String terms = terms(drained.epoch());
        long units = Math.max(
                0, epochs.units(drained.epoch()) + epochs.owed(drained.epoch()) + epochs.held(drained.epoch()));
        long told = restoration.seen(drained.epoch()).map(Point::sequence).orElse(-1L);
        long seen = Math.max(drained.sequence(), Math.max(known, told));
        Begun epoch = new Begun(next, drained.epoch(), (seen / NUMBERS + 1) * NUMBERS, drained.sequence(), seen, false);
        PoolEvent.Position created = new PoolEvent.Position(next, epoch.first(), Instant.now());
        epochs.begin(drained, epoch, new PoolEvent(created, PoolEvent.Kind.CREATED, units, null, terms));
        log.warn(
                "rebuilding a pool in epoch {}: {} is recorded, {} was known of epoch {}",
                next,
                epoch.recorded(),
                seen,
                epoch.before());
        if (seen > epoch.recorded()) {
            telling.tell(listener -> listener.lostClaims(epoch.before(), epoch.recorded() + 1, seen));
        }
        return epoch;
    }

    private Optional<Rebuilt> build(Position begun, Begun epoch) {
        Optional<Settlement.Settled> settled = settlement.settle(begun);
        return settled.isEmpty() ? Optional.empty() : build(settled.get(), epoch);
    }

    private Optional<Rebuilt> build(Settlement.Settled settled, Begun epoch) {
        String terms = terms(epoch.epoch());
        PoolConfig begins = PoolConfig.recorded(Math.max(0, epochs.units(epoch.epoch())), epoch.epoch(), terms);
        Remains.Carried carried = remains.carryOver(settled.at(), begins);
        Position at = carried.at();
        long users = epochs.readHeld(page -> {
            if (!restoration.load(at.epoch(), page)) {
                throw new Moved();
            }
        });
        PoolConfig config = PoolConfig.recorded(Math.max(0, epochs.units(at.epoch())), at.epoch(), terms);
        Position opened = epochs.open(at, Outbox.START, () -> settlement.check(settled));
        if (!restoration.open(new Restoration.Opening(config, opened.sequence(), users, settled.ends()))) {
            return Optional.empty(); // Redis lost the seal or what was loaded: the next try finds it behind
        }
        restoration.remind(opened.point());
        return Optional.of(new Rebuilt(
                at.epoch(),
                epoch.recorded(),
                epoch.seen() - epoch.recorded(),
                users,
                config.total(),
                carried.kept(),
                carried.dropped()));
    }
}
