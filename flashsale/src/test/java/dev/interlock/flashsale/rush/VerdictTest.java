// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.flashsale.rush.Facts.Events;
import dev.interlock.flashsale.rush.Facts.InDatabase;
import dev.interlock.flashsale.rush.Facts.InRedis;
import dev.interlock.flashsale.rush.Facts.Promises;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class VerdictTest {
    private static final Workload WORKLOAD = new Workload(100, 1_000, 900, 100, 1);
    private static final Tally TOLD = told(Map.of(Answer.ISSUED, 100L, Answer.SOLD_OUT, 890L, Answer.REPLAYED, 10L));
    private static final InRedis REDIS = new InRedis(100, 0, 100, 0, "7.0.15");
    private static final InDatabase DATABASE = new InDatabase(100, 0, new Events(101, 100), 0, 0L);
    private static final Promises PROMISES = new Promises(100, 100, 0);

    /** Facts that break exactly one invariant, or several that hang together. */
    record Broken(String why, Facts facts, String... invariants) {
        @Override
        public String toString() {
            return why;
        }
    }

    private static Tally told(Map<Answer, Long> counts) {
        return new Tally(new Histogram(1_000, 3), counts);
    }

    private static Facts facts(Tally tally, InRedis redis, InDatabase database, Promises promises) {
        return new Facts(WORKLOAD, tally, redis, database, promises);
    }

    private static Broken redis(String why, InRedis redis, String... invariants) {
        return new Broken(why, facts(TOLD, redis, DATABASE, PROMISES), invariants);
    }

    private static Broken database(String why, InDatabase database, String... invariants) {
        return new Broken(why, facts(TOLD, REDIS, database, PROMISES), invariants);
    }

    private static Broken promises(String why, Promises promises) {
        return new Broken(why, facts(TOLD, REDIS, DATABASE, promises), "promises kept");
    }

    private static Broken told(String why, Map<Answer, Long> counts) {
        return new Broken(why, facts(told(counts), REDIS, DATABASE, PROMISES), "every call ended");
    }

    static List<Broken> brokenFacts() {
        return List.of(
                database(
                        "a row too many",
                        new InDatabase(101, 0, new Events(101, 100), 0, 0L),
                        "not oversold",
                        "one for each user",
                        "promises kept"),
                redis("a user too many", new InRedis(100, 0, 101, 0, ""), "not oversold", "one for each user"),
                redis("fewer than none left", new InRedis(100, -1, 100, 0, ""), "not oversold", "sold out is true"),
                database("a user with two", new InDatabase(100, 1, new Events(101, 100), 0, 0L), "one for each user"),
                database("a gap", new InDatabase(100, 0, new Events(100, 100), 0, 0L), "recorded once"),
                database("an event twice", new InDatabase(100, 0, new Events(102, 100), 0, 0L), "recorded once"),
                database("a dead event", new InDatabase(100, 0, new Events(101, 100), 1, 0L), "recorded once"),
                redis("an event not recorded", new InRedis(101, 0, 100, 0, ""), "recorded once"),
                redis("an event in the outbox", new InRedis(100, 0, 100, 1, ""), "nothing pending"),
                database("too much in Redis", new InDatabase(100, 0, new Events(101, 100), 0, 3L), "no drift"),
                database("too little in Redis", new InDatabase(100, 0, new Events(101, 100), 0, -3L), "no drift"),
                database("no comparison", new InDatabase(100, 0, new Events(101, 100), 0, null), "no drift"),
                redis("sold out with one left", new InRedis(100, 1, 100, 0, ""), "sold out is true"),
                promises("a unit promised twice", new Promises(100, 100, 1)),
                promises("a promise without a row", new Promises(100, 99, 0)),
                promises("a row that nobody was promised", new Promises(99, 99, 0)),
                told("a call without an end", Map.of(Answer.ISSUED, 100L, Answer.SOLD_OUT, 899L)),
                told(
                        "an answer that makes no sense",
                        Map.of(Answer.ISSUED, 100L, Answer.SOLD_OUT, 899L, Answer.UNEXPECTED, 1L)));
    }

    @ParameterizedTest
    @MethodSource("brokenFacts")
    void namesWhatIsBroken(Broken broken) {
        Verdict verdict = Verdict.of(broken.facts());

        assertThat(verdict.held()).isFalse();
        assertThat(verdict.invariants().stream().filter(invariant -> !invariant.held()))
                .extracting(Invariant::name)
                .containsExactlyInAnyOrder(broken.invariants());
    }

    @Test
    void holdsWhenEverythingAgrees() {
        Verdict verdict = Verdict.of(facts(TOLD, REDIS, DATABASE, PROMISES));

        assertThat(verdict.held()).isTrue();
        assertThat(verdict.invariants())
                .allSatisfy(invariant -> assertThat(invariant.checked()).isNotBlank());
    }

    @Test
    void aRowThatAnUnansweredCallMayHaveMadeBreaksNothing() {
        Tally told = told(Map.of(Answer.ISSUED, 99L, Answer.SOLD_OUT, 900L, Answer.UNKNOWN, 1L));

        assertThat(Verdict.of(facts(told, REDIS, DATABASE, new Promises(99, 99, 0)))
                        .held())
                .isTrue();
    }

    @Test
    void unitsMayBeLeftIfNobodyHeardSoldOut() {
        InRedis redis = new InRedis(40, 60, 40, 0, "");
        InDatabase database = new InDatabase(40, 0, new Events(41, 40), 0, 0L);
        Tally told = told(Map.of(Answer.ISSUED, 40L, Answer.REPLAYED, 960L));

        assertThat(Verdict.of(facts(told, redis, database, new Promises(40, 40, 0)))
                        .held())
                .isTrue();
    }

    @Test
    void theResultNamesTheBrokenOneForPeopleAndPrograms() {
        InDatabase database = new InDatabase(103, 2, new Events(104, 103), 0, 0L);
        RushSettings settings = new RushSettings(WORKLOAD, 1, List.of(), null);
        Facts facts = facts(TOLD, new InRedis(103, -3, 101, 4, "7.0.15"), database, PROMISES);
        Result result = new Result(settings, "pool", "PostgreSQL", facts, new Result.Times(2_000_000_000, 5));

        assertThat(result.text()).contains("BROKEN not oversold", "An invariant is broken.");
        assertThat(result.json())
                .containsEntry("invariantsHeld", false)
                .containsEntry("issued", 101L)
                .containsEntry("recorded", 103L)
                .containsEntry("oversold", 3L)
                .containsEntry("duplicateUsers", 2L)
                .containsEntry("outboxPending", 4L)
                .containsEntry("elapsedMillis", 2_000L)
                .containsEntry("decisionsPerSecond", 500L);
    }
}
