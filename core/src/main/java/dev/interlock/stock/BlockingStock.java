// SPDX-License-Identifier: Apache-2.0
package dev.interlock.stock;

import dev.interlock.internal.Await;
import dev.interlock.internal.Names;
import java.util.OptionalLong;
import reactor.core.publisher.Mono;

/** The blocking view: each operation waits for the asynchronous one. */
record BlockingStock(StockCalls calls) implements StockCounter {
    @Override
    public boolean initialize(long quantity) {
        return Await.get("stock.initialize", () -> calls.initialize(quantity));
    }

    @Override
    public void set(long quantity) {
        Await.get("stock.set", () -> calls.set(quantity));
    }

    @Override
    public AddResult add(long quantity, String requestId) {
        return Await.get("stock.add", () -> calls.add(quantity, requestId));
    }

    @Override
    public TakeResult take(long quantity, String requestId) {
        return Await.get("stock.take", () -> calls.take(quantity, requestId));
    }

    @Override
    public GiveBackResult giveBack(String requestId) {
        return Await.get("stock.giveBack", () -> calls.giveBack(requestId));
    }

    @Override
    public OptionalLong available() {
        return Await.get("stock.available", calls::available);
    }

    @Override
    public Async async() {
        return calls;
    }

    @Override
    public Reactive reactive() {
        return new ReactiveStock(calls);
    }

    /** The reactive view: each subscription starts the asynchronous operation; arguments are checked before. */
    private record ReactiveStock(StockCalls calls) implements Reactive {
        @Override
        public Mono<Boolean> initialize(long quantity) {
            long checked = StockCalls.total(quantity);
            return Mono.fromCompletionStage(() -> calls.initialize(checked));
        }

        @Override
        public Mono<Void> set(long quantity) {
            long checked = StockCalls.total(quantity);
            return Mono.fromCompletionStage(() -> calls.set(checked));
        }

        @Override
        public Mono<AddResult> add(long quantity, String requestId) {
            StockCalls.Take request = new StockCalls.Take(quantity, requestId);
            return Mono.fromCompletionStage(() -> calls.add(request));
        }

        @Override
        public Mono<TakeResult> take(long quantity, String requestId) {
            StockCalls.Take request = new StockCalls.Take(quantity, requestId);
            return Mono.fromCompletionStage(() -> calls.take(request));
        }

        @Override
        public Mono<GiveBackResult> giveBack(String requestId) {
            String checked = Names.requestId(requestId);
            return Mono.fromCompletionStage(() -> calls.giveBack(checked));
        }

        @Override
        public Mono<OptionalLong> available() {
            return Mono.fromCompletionStage(calls::available);
        }
    }
}
