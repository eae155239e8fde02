// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/** Leases for Reactor: one that comes when its subscriber has cancelled is released, never dropped. */
final class LeaseMono {
    private static final Logger log = LoggerFactory.getLogger(LeaseMono.class);

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

    /** As {@link Lease#close()}. */
    static Mono<?> released(Lease lease) {
        return Mono.fromFuture(lease::releaseOnce, true).onErrorResume(error -> {
            log.warn("a lease could not be released and will lapse by itself: {}", error.toString());
            return Mono.empty();
        });
    }
}
