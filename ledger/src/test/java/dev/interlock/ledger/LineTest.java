// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.pool.PoolEvent;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineTest {
    private static final Ledger.Position AT = new Ledger.Position(1, 4, "1-0", false);

    private static Line line(long sequence, String completes) {
        PoolEvent.Position position = new PoolEvent.Position(1, sequence, Instant.EPOCH);
        return new Line(new PoolEvent(position, PoolEvent.Kind.ISSUED, -1, null, null), completes);
    }

    @Test
    void keepsTheStreamIdWhileAnEntryIsNotWholeYet() {
        assertThat(Line.after(AT, List.of(line(5, null), line(6, null))))
                .isEqualTo(new Ledger.Position(1, 6, "1-0", false));
    }

    @Test
    void movesTheStreamIdOverWholeEntriesOnly() {
        assertThat(Line.after(AT, List.of(line(5, "2-0"), line(6, "3-0"), line(7, null))))
                .isEqualTo(new Ledger.Position(1, 7, "3-0", false));
        assertThat(Line.after(AT, List.of(line(5, null), line(6, "2-0"))))
                .isEqualTo(new Ledger.Position(1, 6, "2-0", false));
    }
}
