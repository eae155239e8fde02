// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlFailureTest {
    @ParameterizedTest
    @CsvSource({
        "23505, DATA",
        "23514, DATA",
        "22001, DATA",
        "22021, DATA",
        "P0001, DATA",
        "40001, CONTENTION",
        "40P01, CONTENTION",
        "55P03, CONTENTION",
        "57014, OTHER",
        "53100, OTHER",
        "57P01, OTHER",
        "08006, OTHER",
        "42P01, OTHER",
        "42501, OTHER"
    })
    void tellsRefusedDataFromWhatPassesLater(String state, SqlFailure expected) {
        RuntimeException wrapped = new IllegalStateException(new RuntimeException(new SQLException("reason", state)));
        assertThat(SqlFailure.of(wrapped)).isEqualTo(expected);
    }

    @Test
    void takesFailuresWithoutAStateForPassing() {
        assertThat(SqlFailure.of(new SQLException("no state"))).isEqualTo(SqlFailure.OTHER);
        assertThat(SqlFailure.of(new IllegalStateException("no SQL"))).isEqualTo(SqlFailure.OTHER);
        assertThat((Throwable) SqlFailure.cause(new IllegalStateException("no SQL")))
                .isNull();
    }
}
