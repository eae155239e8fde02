// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

import java.util.List;
import java.util.Locale;

/** Judges the facts. */
record Verdict(List<Invariant> invariants) {
    static Verdict of(Facts facts) {
        return new Verdict(List.of(
                notOversold(facts),
                onePerUser(facts),
                recordedOnce(facts),
                nothingPending(facts),
                noDrift(facts),
                promisesKept(facts),
                soldOutIsTrue(facts),
                allAnswered(facts)));
    }

    boolean held() {
        return invariants.stream().allMatch(Invariant::held);
    }

    private static Invariant notOversold(Facts facts) {
        long coupons = facts.workload().coupons();
        long units = facts.database().units();
        return new Invariant(
                "not oversold",
                facts.oversold() == 0 && facts.redis().available() >= 0,
                text(
                        "%,d coupons; database: %,d rows; Redis: %,d users, %,d left",
                        coupons, units, facts.redis().users(), facts.redis().available()));
    }

    private static Invariant onePerUser(Facts facts) {
        long duplicates = facts.database().duplicateUsers();
        long users = facts.redis().users();
        return new Invariant(
                "one for each user",
                duplicates == 0 && users == facts.database().units(),
                text("database: %,d users with more than one; Redis: %,d users hold one", duplicates, users));
    }

    private static Invariant recordedOnce(Facts facts) {
        Facts.Events events = facts.database().events();
        long sequence = facts.redis().sequence();
        return new Invariant(
                "recorded once",
                events.last() == sequence
                        && events.count() == sequence + 1
                        && facts.database().dead() == 0,
                text(
                        "database: %,d events up to %,d, %,d set aside; Redis: events 0 to %,d",
                        events.count(), events.last(), facts.database().dead(), sequence));
    }

    private static Invariant nothingPending(Facts facts) {
        long pending = facts.redis().outboxPending();
        return new Invariant(
                "nothing pending", pending == 0, text("Redis: %,d events in the outbox after the record", pending));
    }

    private static Invariant noDrift(Facts facts) {
        Long drift = facts.database().drift();
        return new Invariant(
                "no drift",
                drift != null && drift == 0,
                drift == null
                        ? "Redis and the sum of the rows could not be compared: the record lags or has gaps"
                        : text("Redis has %,d units more than the rows add up to", drift));
    }

    private static Invariant promisesKept(Facts facts) {
        Facts.Promises promises = facts.promises();
        long unknown = facts.tally().count(Answer.UNKNOWN);
        long units = facts.database().units();
        return new Invariant(
                "promises kept",
                promises.conflicts() == 0 && promises.kept() == promises.units() && units <= promises.units() + unknown,
                text(
                        "each of %,d units promised to a client compared with its row: %,d agree; %,d rows, %,d unanswered"
                                + " calls",
                        promises.units(), promises.kept(), units, unknown));
    }

    private static Invariant soldOutIsTrue(Facts facts) {
        long told = facts.tally().count(Answer.SOLD_OUT);
        long available = facts.redis().available();
        return new Invariant(
                "sold out is true",
                told == 0 || available == 0,
                text("%,d clients heard it; Redis: %,d left", told, available));
    }

    private static Invariant allAnswered(Facts facts) {
        long total = facts.tally().total();
        long unexpected = facts.tally().count(Answer.UNEXPECTED);
        return new Invariant(
                "every call ended",
                total == facts.workload().requests() && unexpected == 0,
                text(
                        "%,d of %,d calls, %,d without an answer",
                        total, facts.workload().requests(), facts.tally().count(Answer.UNKNOWN)));
    }

    private static String text(String format, Object... numbers) {
        return String.format(Locale.ROOT, format, numbers);
    }
}
