// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class ClaimsTest {
    private final Claims claims = new Claims(3);

    @Test
    void aRepeatedPromiseCountsOnce() {
        claims.add(1, 11);
        claims.add(1, 11);
        claims.add(3, 13);

        assertThat(claims.count()).isEqualTo(2);
        assertThat(claims.user(1)).isEqualTo(11);
        assertThat(claims.user(2)).isZero();
        assertThat(claims.conflicts()).isZero();
    }

    @Test
    void oneUnitPromisedToTwoUsersIsAConflict() {
        claims.add(2, 11);
        claims.add(2, 12);

        assertThat(claims.conflicts()).isEqualTo(1);
    }

    @Test
    void aUnitBeyondTheCouponsIsAConflict() {
        claims.add(4, 11);
        claims.add(0, 11);

        assertThat(claims.conflicts()).isEqualTo(2);
        assertThat(claims.user(4)).isZero();
    }

    @Test
    void claimsOfTwoNodesThatContradictAreAConflict() {
        Claims other = new Claims(3);
        other.add(1, 12);
        other.add(3, 13);
        claims.add(1, 11);

        claims.addEncoded(other.encode());

        assertThat(claims.count()).isEqualTo(2);
        assertThat(claims.conflicts()).isEqualTo(1);
    }

    @Test
    void aNodesReportSurvivesItsWayAsALine() {
        Tally tally = new Tally(new Histogram(1_000_000, 3), Map.of());
        tally.add(Answer.ISSUED, 1_000);
        tally.add(Answer.SOLD_OUT, 5);
        claims.add(2, 12);
        claims.add(2, 13);
        NodeLine line = new NodeLine(7, NodeLine.Report.of(new Outcome(tally, claims, 99, 5)), null);

        NodeLine read = NodeLine.JSON.readValue(NodeLine.JSON.writeValueAsString(line), NodeLine.class);

        assertThat(read.report()).isNotNull();
        Outcome outcome = read.report().outcome(3);
        assertThat(outcome.tally().count(Answer.ISSUED)).isEqualTo(1);
        assertThat(outcome.tally().total()).isEqualTo(2);
        assertThat(outcome.tally().nanos().getMaxValue()).isEqualTo(1_000);
        assertThat(outcome.claims().user(2)).isEqualTo(12);
        assertThat(outcome.claims().conflicts()).isEqualTo(1);
        assertThat(List.of(outcome.elapsedNanos(), outcome.lastIssuedMillis())).containsExactly(99L, 5L);
    }
}
