// SPDX-License-Identifier: Apache-2.0
package dev.interlock.stock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.CorruptStateException;
import dev.interlock.RequestConflictException;
import dev.interlock.Topology;
import dev.interlock.stock.TakeResult.Insufficient;
import dev.interlock.stock.TakeResult.Taken;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every counter promises, in all three views; the subclasses say on which topology. */
abstract class StockContract extends StockFixture {
    StockContract(Topology topology) {
        super(topology);
    }

    /** Ways to call the same operation. */
    enum View {
        BLOCKING,
        ASYNC,
        REACTIVE;

        TakeResult take(StockCounter stock, long quantity, String request) {
            return switch (this) {
                case BLOCKING -> stock.take(quantity, request);
                case ASYNC ->
                    stock.async().take(quantity, request).toCompletableFuture().join();
                case REACTIVE -> stock.reactive().take(quantity, request).block();
            };
        }

        GiveBackResult giveBack(StockCounter stock, String request) {
            return switch (this) {
                case BLOCKING -> stock.giveBack(request);
                case ASYNC ->
                    stock.async().giveBack(request).toCompletableFuture().join();
                case REACTIVE -> stock.reactive().giveBack(request).block();
            };
        }

        AddResult add(StockCounter stock, long quantity, String request) {
            return switch (this) {
                case BLOCKING -> stock.add(quantity, request);
                case ASYNC ->
                    stock.async().add(quantity, request).toCompletableFuture().join();
                case REACTIVE -> stock.reactive().add(quantity, request).block();
            };
        }
    }

    private static String key(String sku) {
        return "interlock:stock:{" + sku + "}";
    }

    private StockCounter stockOf(long quantity) {
        StockCounter stock = interlock.stock(Topology.name("sku"));
        assertThat(stock.initialize(quantity)).isTrue();
        return stock;
    }

    @ParameterizedTest
    @EnumSource(View.class)
    void theLastUnitIsTakenWithZeroLeftAndOnlyTheNextIsInsufficient(View view) {
        StockCounter stock = stockOf(3);
        assertThat(view.take(stock, 2, "a")).isEqualTo(new Taken(1));
        assertThat(view.take(stock, 2, "b")).isEqualTo(new Insufficient(1));
        assertThat(view.take(stock, 1, "c")).isEqualTo(new Taken(0));
        assertThat(view.take(stock, 1, "d")).isEqualTo(new Insufficient(0));
        assertThat(stock.available()).isEqualTo(OptionalLong.of(0));
    }

    @ParameterizedTest
    @EnumSource(View.class)
    void aRepeatedRequestHearsItsFirstAnswerAndTakesOnce(View view) {
        StockCounter stock = stockOf(5);
        assertThat(view.take(stock, 2, "a")).isEqualTo(new Taken(3));
        assertThat(view.take(stock, 3, "b")).isEqualTo(new Taken(0));
        assertThat(view.take(stock, 2, "a")).isEqualTo(new Taken(3));
        assertThatThrownBy(() -> view.take(stock, 1, "a")).hasStackTraceContaining("RequestConflictException");
        assertThat(stock.available()).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource(View.class)
    void whatWasTakenIsGivenBackOnce(View view) {
        StockCounter stock = stockOf(5);
        view.take(stock, 2, "a");
        assertThat(view.giveBack(stock, "a")).isEqualTo(new GiveBackResult.GivenBack());
        assertThat(view.giveBack(stock, "a")).isEqualTo(new GiveBackResult.AlreadyGivenBack());
        assertThat(view.giveBack(stock, "b")).isEqualTo(new GiveBackResult.Unknown());
        assertThatThrownBy(() -> view.take(stock, 2, "a")).hasStackTraceContaining("RequestConflictException");
        assertThat(stock.available()).hasValue(5);
    }

    @ParameterizedTest
    @EnumSource(View.class)
    void unitsAreAddedOnceAndNeverBeyondTheMost(View view) {
        StockCounter stock = stockOf(1_000_000_000_000L - 5);
        assertThat(view.add(stock, 5, "a")).isEqualTo(new AddResult.Added(1_000_000_000_000L));
        assertThat(view.add(stock, 5, "a")).isEqualTo(new AddResult.Added(1_000_000_000_000L));
        assertThat(view.add(stock, 1, "b")).isEqualTo(new AddResult.TooMany(1_000_000_000_000L));
        assertThat(view.add(interlock.stock(Topology.name("none")), 1, "b")).isEqualTo(new AddResult.Unknown());
        assertThatThrownBy(() -> stock.take(5, "a")).isInstanceOf(RequestConflictException.class);
        assertThatThrownBy(() -> stock.giveBack("a")).isInstanceOf(RequestConflictException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1_000_001, 1L << 53})
    void aQuantityOutOfRangeIsRefusedBeforeAnythingIsSentInEveryView(long quantity) {
        StockCounter stock = stockOf(10);
        for (View view : View.values()) {
            assertThatThrownBy(() -> view.take(stock, quantity, "r"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("quantity")
                    .hasMessageContaining(String.valueOf(quantity));
            assertThatThrownBy(() -> view.add(stock, quantity, "r")).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(stock.available()).hasValue(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "1.5", "007", " 5", "", "1e3", "0x10", "nan", "9223372036854775807", "-0"})
    void aKeyThatHoldsNoPlainWholeNumberIsATypedErrorAndUnchanged(String value) {
        String sku = Topology.name("sku");
        raw.set(key(sku), value);
        StockCounter stock = interlock.stock(sku);
        assertThatThrownBy(() -> stock.take(1, "r")).isInstanceOf(CorruptStateException.class);
        assertThatThrownBy(() -> stock.add(1, "r")).isInstanceOf(CorruptStateException.class);
        assertThatThrownBy(stock::available).isInstanceOf(CorruptStateException.class);
        assertThat(raw.get(key(sku))).isEqualTo(value);
    }

    @Test
    void aKeyOfAnotherTypeIsATypedErrorAndUnchanged() {
        String sku = Topology.name("sku");
        raw.lpush(key(sku), "x");
        StockCounter stock = interlock.stock(sku);
        assertThatThrownBy(() -> stock.take(1, "r")).isInstanceOf(CorruptStateException.class);
        assertThatThrownBy(() -> stock.set(1)).isInstanceOf(CorruptStateException.class);
        assertThatThrownBy(() -> stock.initialize(1)).isInstanceOf(CorruptStateException.class);
        assertThat(raw.lrange(key(sku), 0, -1)).containsExactly("x");
    }

    @ParameterizedTest
    @EnumSource(View.class)
    void aMissingCounterIsUnknownAndNotEmpty(View view) {
        String sku = Topology.name("none");
        assertThat(view.take(interlock.stock(sku), 1, "r")).isEqualTo(new TakeResult.Unknown());
        assertThat(interlock.stock(sku).available()).isEmpty();
        assertThat(raw.exists(key(sku))).isZero();
    }

    @Test
    void aPlainNumberThatSomeoneElseWroteWorks() {
        String sku = Topology.name("sku");
        raw.set(key(sku), "7");
        assertThat(interlock.stock(sku).take(7, "r")).isEqualTo(new Taken(0));
        assertThat(raw.get(key(sku))).isEqualTo("0");
        assertThat(interlock.stock(sku).initialize(9)).isFalse();
        interlock.stock(sku).set(9);
        assertThat(raw.get(key(sku))).isEqualTo("9");
    }

    @Test
    void everyRecordOfARequestExpires() {
        String sku = Topology.name("sku");
        StockCounter stock = interlock.stock(sku);
        stock.initialize(5);
        stock.take(1, "r:1");
        String record = key(sku) + ":request:r%3A1";
        assertThat(raw.pttl(record)).isBetween(1L, 24L * 3600 * 1000);
        stock.giveBack("r:1");
        assertThat(raw.pttl(record)).isBetween(1L, 24L * 3600 * 1000);
    }

    @Test
    void randomOperationsAgreeWithAModel() {
        long seed = System.nanoTime();
        System.out.println("seed of the stock model: " + seed);
        Random random = new Random(seed);
        StockCounter stock = stockOf(50);
        long left = 50;
        Map<String, Long> taken = new HashMap<>();
        for (int i = 0; i < 3_000; i++) {
            String request = "r" + random.nextInt(400);
            if (random.nextInt(4) == 0) {
                GiveBackResult expected = !taken.containsKey(request)
                        ? new GiveBackResult.Unknown()
                        : taken.get(request) == 0
                                ? new GiveBackResult.AlreadyGivenBack()
                                : new GiveBackResult.GivenBack();
                assertThat(stock.giveBack(request)).isEqualTo(expected);
                left += taken.getOrDefault(request, 0L);
                taken.computeIfPresent(request, (id, quantity) -> 0L);
            } else if (!taken.containsKey(request)) {
                long quantity = 1 + random.nextInt(9);
                TakeResult expected = left >= quantity ? new Taken(left - quantity) : new Insufficient(left);
                assertThat(stock.take(quantity, request)).isEqualTo(expected);
                if (left >= quantity) {
                    left -= quantity;
                    taken.put(request, quantity);
                }
            }
            assertThat(left).isNotNegative();
        }
        assertThat(stock.available()).hasValue(left);
    }

    @Test
    void concurrentTakesNeverOversell() {
        StockCounter stock = stockOf(1_000);
        List<CompletableFuture<TakeResult>> calls = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            calls.add(stock.async().take(1 + i % 3, "r" + i).toCompletableFuture());
        }
        long sold = 0;
        for (int i = 0; i < calls.size(); i++) {
            sold += calls.get(i).join() instanceof Taken ? 1 + i % 3 : 0;
        }
        assertThat(sold).isLessThanOrEqualTo(1_000);
        assertThat(stock.available()).hasValue(1_000 - sold);
    }
}
