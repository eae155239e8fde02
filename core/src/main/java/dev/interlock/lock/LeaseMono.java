// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** Leases for Reactor: one that comes when its subscriber has cancelled is released, never dropped. */
final class LeaseMono {
    private LeaseMono() {}

    static Mono<Lease> of(Supplier<? extends CompletableFuture<Lease>> start) {
        return mono(start).doOnDiscard(Lease.class, Lease::releaseOnce);
    }

    static Mono<Lease> ofOptional(Supplier<? extends CompletableFuture<Optional<Lease>>> start) {
        return LeaseMono.<Optional<Lease>>mono(start)
                .doOnDiscard(Optional.class, found -> {
                    if (found.isPresent() && found.get() instanceof Lease lease) {
                        lease.releaseOnce();
                    }
                })
                .flatMap(Mono::justOrEmpty)
                .doOnDiscard(Lease.class, Lease::releaseOnce);
    }

    static <T> Mono<T> mono(Supplier<? extends CompletableFuture<T>> start) {
        return Mono.create(sink -> {
            CompletableFuture<T> future = start.get();
            sink.onCancel(() -> future.cancel(false));
            future.whenComplete((value, error) -> {
                if (value == null) {
                    sink.error(error);
                } else {
                    sink.success(value);
                }
            });
        });
    }
}
