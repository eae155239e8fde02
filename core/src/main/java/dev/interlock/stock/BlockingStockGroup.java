// SPDX-License-Identifier: Apache-2.0
package dev.interlock.stock;

import dev.interlock.internal.Await;
import dev.interlock.internal.Names;
import java.util.Map;
import java.util.OptionalLong;
import reactor.core.publisher.Mono;

/** The blocking view: each operation waits for the asynchronous one. */
record BlockingStockGroup(StockGroupCalls calls) implements StockGroup {
    @Override
    public boolean initialize(String sku, long quantity) {
        return Await.get("stockGroup.initialize", () -> calls.initialize(sku, quantity));
    }

    @Override
    public OrderResult take(Map<String, Long> order, String requestId) {
        return Await.get("stockGroup.take", () -> calls.take(order, requestId));
    }

    @Override
    public GiveBackResult giveBack(String requestId) {
        return Await.get("stockGroup.giveBack", () -> calls.giveBack(requestId));
    }

    @Override
    public OptionalLong available(String sku) {
        return Await.get("stockGroup.available", () -> calls.available(sku));
    }

    @Override
    public Async async() {
        return calls;
    }

    @Override
    public Reactive reactive() {
        return new ReactiveStockGroup(calls);
    }

    /** The reactive view: each subscription starts the asynchronous operation; arguments are checked before. */
    private record ReactiveStockGroup(StockGroupCalls calls) implements Reactive {
        @Override
        public Mono<Boolean> initialize(String sku, long quantity) {
            String checkedSku = Names.name("sku", sku);
            long checkedQuantity = StockCalls.total(quantity);
            return Mono.fromCompletionStage(() -> calls.initialize(checkedSku, checkedQuantity));
        }

        @Override
        public Mono<OrderResult> take(Map<String, Long> order, String requestId) {
            StockGroupCalls.Order checked = StockGroupCalls.Order.of(order, requestId);
            return Mono.fromCompletionStage(() -> calls.take(checked));
        }

        @Override
        public Mono<GiveBackResult> giveBack(String requestId) {
            String checked = Names.requestId(requestId);
            return Mono.fromCompletionStage(() -> calls.giveBack(checked));
        }

        @Override
        public Mono<OptionalLong> available(String sku) {
            String checked = Names.name("sku", sku);
            return Mono.fromCompletionStage(() -> calls.available(checked));
        }
    }
}
