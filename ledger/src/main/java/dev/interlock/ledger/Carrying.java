// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import dev.interlock.ledger.EpochJournal.Holdings;
import dev.interlock.ledger.Ledger.Position;
import dev.interlock.pool.PoolEvent;
import dev.interlock.pool.PoolEvent.Claim;
import dev.interlock.pool.PoolEvent.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Decides which events of a life that ended the next one can take, and numbers them. */
final class Carrying {
    private final int limit;
    private final Position at;
    private final Map<String, Holdings> holdings;
    private final List<Line> kept = new ArrayList<>();
    private final List<DeadEvent> dropped = new ArrayList<>();
    private long left;

    Carrying(int limit, long left, Position at, Map<String, Holdings> holdings) {
        this.limit = limit;
        this.left = left;
        this.at = at;
        this.holdings = holdings;
    }

    List<Line> kept() {
        return kept;
    }

    List<DeadEvent> dropped() {
        return dropped;
    }

    long left() {
        return left;
    }

    /** Takes an event if it is about a unit and not recorded. */
    void add(PoolEvent event) {
        Claim claim = event.claim();
        if (claim == null) {
            return;
        }
        Holdings of = holdings.computeIfAbsent(claim.userId(), user -> new Holdings());
        Long issue = of.requests().get(claim.requestId());
        if (event.kind() == Kind.REVOKED && issue != null && of.units().values().remove(issue)) {
            keep(event, Kind.REVOKED, new Claim(claim.userId(), claim.requestId(), claim.nth(), issue));
        } else if (event.kind() == Kind.ISSUED && issue == null) {
            issue(event, claim, of);
        }
    }

    private void issue(PoolEvent event, Claim claim, Holdings of) {
        int nth = 1;
        while (of.units().containsKey(nth)) {
            nth++;
        }
        if (claim.userId().indexOf('\0') >= 0 || claim.requestId().indexOf('\0') >= 0) {
            dropped.add(dead(event, "an id with a NUL cannot be recorded"));
        } else if (nth > limit) {
            dropped.add(dead(event, "the user has all units that the limit allows"));
        } else if (left <= 0) {
            dropped.add(dead(event, "no unit is left"));
        } else {
            long sequence = nextSequence();
            of.units().put(nth, sequence);
            of.requests().put(claim.requestId(), sequence);
            keep(event, Kind.ISSUED, new Claim(claim.userId(), claim.requestId(), nth, sequence));
        }
    }

    private long nextSequence() {
        return at.sequence() + kept.size() + 1;
    }

    private void keep(PoolEvent event, Kind kind, Claim claim) {
        long delta = kind == Kind.ISSUED ? -1 : 1; // not that of the event: units of a hold were taken before
        left += delta;
        PoolEvent.Position next = new PoolEvent.Position(
                at.epoch(), nextSequence(), event.position().at());
        kept.add(new Line(new PoolEvent(next, kind, delta, claim, event.note()), null));
    }

    /** What is told of an event that is not kept. */
    static DeadEvent dead(PoolEvent event, String why) {
        Claim claim = event.claim();
        return new DeadEvent(
                null, claim == null ? null : claim.userId(), event.toString(), "not carried over: " + why, null);
    }
}
