// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Hands what a future brings to a subscriber, and gives it back if the subscriber cancels before it has it. Reactor itself
 * drops, rather than discards, a value that meets a cancellation, so a lease would be held by nobody.
 *
 * @param <T> what is handed over
 */
record Handing<T>(Consumer<T> giveBack) {
    Mono<T> mono(Supplier<? extends CompletableFuture<T>> start) {
        return Mono.defer(() -> {
            Passage passage = new Passage();
            return Mono.<T>create(sink -> passage.begin(sink, start.get())).doOnNext(value -> passage.delivered = true);
        });
    }

    /** One subscription. Whoever of the cancellation and the hand-over comes second sees that both happened. */
    private final class Passage {
        volatile boolean delivered;
        private volatile boolean cancelled;
        private volatile boolean handedOver;

        void begin(MonoSink<T> sink, CompletableFuture<T> future) {
            sink.onCancel(() -> {
                cancelled = true;
                if (!future.cancel(false) && handedOver) {
                    giveBackUndelivered(future);
                }
            });
            future.whenComplete((value, error) -> {
                if (value == null) {
                    sink.error(error);
                    return;
                }
                sink.success(value);
                handedOver = true;
                if (cancelled) {
                    giveBackUndelivered(future);
                }
            });
        }

        private void giveBackUndelivered(CompletableFuture<T> future) {
            if (!delivered) {
                giveBack.accept(future.join());
            }
        }
    }
}
