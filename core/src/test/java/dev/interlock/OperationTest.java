// SPDX-License-Identifier: Apache-2.0
package dev.interlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.idempotency.RunResult;
import dev.interlock.internal.Telling;
import dev.interlock.pool.IssueResult;
import dev.interlock.stock.OrderResult;
import dev.interlock.stock.TakeResult;
import dev.interlock.value.CasResult;
import dev.interlock.value.WriteResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OperationTest {
    @Test
    void everyResultOfAPrimitiveIsAnOutcome() {
        Map<Operation, Class<?>> results = Map.of(
                Operation.POOL_ISSUE, IssueResult.class,
                Operation.STOCK_TAKE, TakeResult.class,
                Operation.STOCK_ORDER, OrderResult.class,
                Operation.VALUE_SWAP, CasResult.class,
                Operation.VERSIONED_WRITE, WriteResult.class,
                Operation.IDEMPOTENCY_RUN, RunResult.class);
        results.forEach((operation, type) -> {
            List<String> outcomes = new ArrayList<>();
            for (Class<?> result : type.getPermittedSubclasses()) {
                outcomes.add(Telling.outcome(result.getSimpleName()));
            }
            outcomes.add("failed");
            assertThat(operation.outcomes()).as(operation.name()).containsExactlyElementsOf(outcomes);
        });
    }

    @Test
    void itsNameIsThatOfItsMeter() {
        assertThat(Operation.LOCK_ACQUIRE.primitive()).isEqualTo("lock");
        assertThat(Operation.LOCK_ACQUIRE.verb()).isEqualTo("acquire");
        assertThat(Arrays.stream(Operation.values()).flatMap(operation -> operation.outcomes().stream()))
                .allMatch(outcome -> outcome.matches("[a-z]+(_[a-z]+)*"));
    }
}
