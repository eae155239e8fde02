// SPDX-License-Identifier: Apache-2.0
package dev.interlock.stock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.CorruptStateException;
import dev.interlock.Topology;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every group promises, in all three views; the subclasses say on which topology. */
abstract class StockGroupContract extends StockFixture {
    StockGroupContract(Topology topology) {
        super(topology);
    }

    /** Ways to call the same operation. */
    enum View {
        BLOCKING,
        ASYNC,
        REACTIVE;

        OrderResult take(StockGroup group, Map<String, Long> order, String request) {
            return switch (this) {
                case BLOCKING -> group.take(order, request);
                case ASYNC ->
                    group.async().take(order, request).toCompletableFuture().join();
                case REACTIVE -> group.reactive().take(order, request).block();
            };
        }
    }

    @ParameterizedTest
    @EnumSource(View.class)
    void anOrderTakesAllItsLinesOrNone(View view) {
        StockGroup group = interlock.stockGroup(Topology.name("group"));
        group.initialize("a", 5);
        group.initialize("b:{x}", 1);
        Map<String, Long> order = Map.of("a", 2L, "b:{x}", 1L);
        assertThat(view.take(group, order, "r1")).isEqualTo(new OrderResult.Taken(Map.of("a", 3L, "b:{x}", 0L)));
        assertThat(view.take(group, order, "r2")).isEqualTo(new OrderResult.Insufficient("b:{x}", 0));
        assertThat(view.take(group, order, "r1")).isEqualTo(new OrderResult.Taken(Map.of("a", 3L, "b:{x}", 0L)));
        assertThat(view.take(group, Map.of("a", 1L, "c", 1L), "r3")).isEqualTo(new OrderResult.Unknown("c"));
        assertThatThrownBy(() -> view.take(group, Map.of("a", 1L), "r1")).hasStackTraceContaining("RequestConflict");
        assertThat(group.available("a")).hasValue(3);
        assertThat(group.giveBack("r1")).isEqualTo(new GiveBackResult.GivenBack());
        assertThat(group.giveBack("r1")).isEqualTo(new GiveBackResult.AlreadyGivenBack());
        assertThat(group.giveBack("r9")).isEqualTo(new GiveBackResult.Unknown());
        assertThat(group.available("a")).hasValue(5);
        assertThat(group.available("b:{x}")).hasValue(1);
    }

    @Test
    void anOrderWhoseThirdKeyHasTheWrongTypeChangesNothing() {
        String name = Topology.name("group");
        StockGroup group = interlock.stockGroup(name);
        group.initialize("a", 5);
        group.initialize("b", 5);
        raw.lpush("interlock:stock-group:{" + name + "}:sku:c", "x");
        assertThatThrownBy(() -> group.take(Map.of("a", 1L, "b", 1L, "c", 1L), "r"))
                .isInstanceOf(CorruptStateException.class)
                .hasMessageContaining("\"c\"");
        assertThat(group.available("a")).hasValue(5);
        assertThat(group.available("b")).hasValue(5);
    }
}
