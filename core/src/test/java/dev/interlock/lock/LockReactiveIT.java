// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What a lock does on threads that must not block, and for subscribers. */
class LockReactiveIT extends LockSetup {
    private static final Duration SECOND = Duration.ofSeconds(1);

    LockReactiveIT() {
        super(Topology.STANDALONE);
    }

    // Semantics 9: threads

    @Test
    void rule9ABlockingCallIsRefusedOnAThreadThatMustNotBlock() {
        String name = Topology.name("job");
        List<Throwable> refused = Mono.fromCallable(() -> here.lock(name).tryAcquire())
                .subscribeOn(Schedulers.parallel())
                .materialize()
                .concatWith(here.lock(name)
                        .reactive()
                        .owner()
                        .then(here.lock(name).reactive().acquire(SECOND))
                        .map(Lease::release)
                        .cast(Object.class)
                        .then(Mono.<Optional<Lease>>empty())
                        .materialize())
                .<Throwable>mapNotNull(signal -> signal.getThrowable())
                .collectList()
                .block();
        assertThat(refused)
                .hasSize(2)
                .allSatisfy(error -> assertThat(error)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("async()"));
        here.lock(name).forceRelease();
    }

    @Test
    void rule9TwoMonosOnOneEventLoopTakeTurnsAndMayBeReleasedAnywhere() throws Exception {
        String name = Topology.name("job");
        CompletableFuture<Lease> first = new CompletableFuture<>();
        CompletableFuture<Lease> second = new CompletableFuture<>();
        Schedulers.single().schedule(() -> {
            here.lock(name).reactive().acquire(LONG).subscribe(first::complete);
            here.lock(name).reactive().acquire(LONG).subscribe(second::complete);
        });
        Lease lease = first.get(5, TimeUnit.SECONDS);
        assertThat(second).isNotDone();
        assertThat(lease.release()).isEqualTo(new ReleaseResult.Released());
        assertThat(second.get(5, TimeUnit.SECONDS).release()).isEqualTo(new ReleaseResult.Released());
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void rule9WorkUnderALeaseReleasesItOnceHoweverItEnds(End end) {
        String name = Topology.name("job");
        List<Lease> leases = new ArrayList<>();
        Mono<String> work = here.lock(name).reactive().withLease(SECOND, lease -> {
            leases.add(lease);
            return switch (end) {
                case COMPLETE -> Mono.just("done");
                case ERROR -> Mono.error(new IllegalArgumentException("broken"));
                case CANCEL -> Mono.never();
            };
        });
        if (end == End.COMPLETE) {
            assertThat(work.block()).isEqualTo("done");
        } else if (end == End.ERROR) {
            assertThatThrownBy(work::block).hasMessageContaining("broken");
        } else {
            Disposable subscription = work.subscribe();
            Awaitility.await().atMost(LONG).until(() -> leases.size() == 1);
            subscription.dispose();
        }
        onlyTheFenceIsLeft(name);
        assertThat(leases).hasSize(1);
        assertThat(leases.get(0).release()).isEqualTo(new ReleaseResult.Expired());
    }

    enum End {
        COMPLETE,
        ERROR,
        CANCEL
    }

    @Test
    void rule9WorkIsNeverBegunWithoutALease() throws Exception {
        String name = Topology.name("job");
        try (Lease lease = there.lock(name).acquire(LONG)) {
            AtomicInteger begun = new AtomicInteger();
            assertThatThrownBy(() -> here.lock(name)
                            .reactive()
                            .withLeaseMany(Duration.ofMillis(50), mine -> {
                                begun.incrementAndGet();
                                return Flux.empty();
                            })
                            .blockLast())
                    .isInstanceOf(LockTimeoutException.class);
            assertThat(begun).hasValue(0);
            lease.ensureValid();
        }
    }

    @Test
    void rule9CancellingASubscriptionAtAnyMomentLeavesNoLock() {
        String name = Topology.name("job");
        java.util.Random random = new java.util.Random(5);
        for (int i = 0; i < 3_000; i++) {
            Disposable subscription = i % 2 == 0
                    ? here.lock(name)
                            .reactive()
                            .withLease(LONG, lease -> Mono.just(1))
                            .subscribe()
                    : here.lock(name)
                            .reactive()
                            .withLeaseMany(LONG, lease -> Flux.just(1, 2))
                            .subscribe();
            java.util.concurrent.locks.LockSupport.parkNanos(random.nextInt(800_000));
            subscription.dispose();
        }
        onlyTheFenceIsLeft(name);
    }

    @Test
    void aChainOfManyHoldersThatReleaseAtOnceDoesNotOverflowTheStack() throws Exception {
        String name = Topology.name("job");
        Lease lease = here.lock(name).acquire(LONG);
        AtomicInteger held = new AtomicInteger();
        for (int i = 0; i < 5_000; i++) {
            here.lock(name)
                    .reactive()
                    .withLease(LONG, mine -> Mono.fromSupplier(held::incrementAndGet))
                    .subscribe();
        }
        lease.close();
        Awaitility.await().atMost(LONG).untilAtomic(held, org.hamcrest.Matchers.equalTo(5_000));
        onlyTheFenceIsLeft(name);
    }
}
