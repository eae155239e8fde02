// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.NotExecutedException;
import dev.interlock.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What a lock does for callers that are in a hurry, interrupted, cancelled, on the wrong thread, or wrong. */
class LockCallerIT extends LockSetup {
    private static final Duration SECOND = Duration.ofSeconds(1);

    LockCallerIT() {
        super(Topology.STANDALONE);
    }

    private void waitingHere(String name, int count) {
        Awaitility.await()
                .atMost(LONG)
                .until(() -> there.lock(name).owner().map(LockOwner::waiting).orElse(0L) == count);
    }

    // Semantics 8: deadlines and interrupts

    @Test
    void rule8AWaitEndsInTimeWithWaitersHereAndHoldersElsewhere() throws Exception {
        String name = Topology.name("job");
        try (Lease lease = there.lock(name).acquire(LONG)) {
            CompletableFuture<Lease> first =
                    here.lock(name).async().acquire(LONG).toCompletableFuture();
            waitingHere(name, 1);
            LockDeadlines.endsInTime(
                    Duration.ofMillis(300),
                    wait -> assertThat(here.lock(name).tryAcquire(wait)).isEmpty());
            first.cancel(false);
            LockDeadlines.endsInTime(
                    Duration.ofMillis(300),
                    wait -> assertThat(here.lock(name).tryAcquire(wait)).isEmpty());
            lease.ensureValid();
        }
        onlyTheFenceIsLeft(name);
    }

    @Test
    void rule8AnInterruptedThreadIsRefusedBeforeAnythingIsSent() {
        String name = Topology.name("job");
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> here.lock(name).acquire(SECOND)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> here.lock(name).tryAcquire(Duration.ZERO)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(redis.keys(key(name) + "*")).isEmpty();
    }

    @Test
    void rule8AnInterruptDoesNotStopOneAttemptNorARelease() {
        String name = Topology.name("job");
        Thread.currentThread().interrupt();
        Optional<Lease> lease = here.lock(name).tryAcquire();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThat(lease.orElseThrow().release()).isEqualTo(new ReleaseResult.Released());
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void rule8AnInterruptEndsAWaitAndLeavesNothing() throws Exception {
        String name = Topology.name("job");
        Lease lease = there.lock(name).acquire(LONG);
        FutureTask<Lease> task = new FutureTask<>(() -> here.lock(name).acquire(LONG));
        Thread thread = new Thread(task);
        thread.start();
        waitingHere(name, 1);
        thread.interrupt();
        assertThatThrownBy(() -> task.get(5, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(InterruptedException.class);
        waitingHere(name, 0);
        lease.close();
        onlyTheFenceIsLeft(name);
    }

    @Test
    void rule8AThousandInterruptsAtRandomMomentsLeaveNoLockAndExtendNone() throws Exception {
        String name = Topology.name("job");
        java.util.Random random = new java.util.Random(11);
        AtomicInteger acquired = new AtomicInteger();
        AtomicInteger interrupted = new AtomicInteger();
        for (int round = 0; round < 500; round++) {
            List<Thread> threads = new ArrayList<>();
            for (Interlock jvm : List.of(here, there)) {
                Thread thread = new Thread(() -> {
                    try (Lease lease = jvm.lock(name).acquire(LONG)) {
                        assertThat(lease.isValid()).isTrue();
                        acquired.incrementAndGet();
                    } catch (InterruptedException e) {
                        interrupted.incrementAndGet();
                    }
                });
                thread.start();
                threads.add(thread);
            }
            java.util.concurrent.locks.LockSupport.parkNanos(random.nextInt(1_500_000));
            threads.forEach(Thread::interrupt);
            for (Thread thread : threads) {
                thread.join(10_000);
                assertThat(thread.isAlive()).isFalse();
            }
        }
        assertThat(acquired.get() + interrupted.get()).isEqualTo(1_000);
        assertThat(acquired.get()).isPositive();
        assertThat(interrupted.get()).isPositive();
        onlyTheFenceIsLeft(name);
    }

    @Test
    void aCancelledFutureReleasesWhatIsGrantedLate() throws Exception {
        String name = Topology.name("job");
        for (int i = 0; i < 200; i++) {
            CompletableFuture<?> future = i % 2 == 0
                    ? here.lock(name).async().tryAcquire(LONG).toCompletableFuture()
                    : here.lock(name).async().acquire(LONG).toCompletableFuture();
            future.cancel(false);
            assertThatThrownBy(future::join).isInstanceOf(CancellationException.class);
        }
        there.lock(name).acquire(SECOND).close();
        onlyTheFenceIsLeft(name);
    }

    @Test
    void closingAnInterlockEndsItsWaitsAndTellsItsHolders() throws Exception {
        String name = Topology.name("job");
        String held = Topology.name("held");
        Lease lease = there.lock(name).acquire(LONG);
        CompletableFuture<Lease> waiting;
        Lease lost;
        try (Interlock closing = Topology.connect(server)) {
            waiting = closing.lock(name).async().acquire(LONG).toCompletableFuture();
            lost = closing.lock(held).acquire(LONG);
        }
        assertThatThrownBy(() -> waiting.get(5, TimeUnit.SECONDS)).hasCauseInstanceOf(NotExecutedException.class);
        assertThat(lost.isValid()).isFalse();
        redis.del(key(held));
        lease.close();
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
        for (int i = 0; i < 300; i++) {
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

    // Semantics 10 and bad input: names and times

    static Stream<String> goodNames() {
        return Stream.of(
                "}x",
                "{}",
                "a{b}c",
                "a}b{c",
                "a:fence",
                "\uD83D\uDD12",
                "x".repeat(510) + "é",
                "*",
                "?[a-z]\\",
                "%s%n",
                "${jndi:x}",
                "../../etc/passwd",
                "e\u0301",
                "é",
                "a",
                "a:queue",
                "%7B",
                "{",
                "A");
    }

    @Test
    void rule10EveryNameHasKeysOfItsOwnInOneSlot() throws Exception {
        List<String> names = goodNames().toList();
        List<Lease> leases = new ArrayList<>();
        for (String name : names) {
            leases.add(here.lock(name).acquire(SECOND));
        }
        assertThat(leases).extracting(Lease::name).containsExactlyElementsOf(names);
        assertThat(leases).allSatisfy(lease -> assertThat(lease.release()).isEqualTo(new ReleaseResult.Released()));
    }

    static Stream<String> badNames() {
        return Stream.of(
                "",
                " ",
                " a",
                "a ",
                "x".repeat(513),
                "x".repeat(511) + "é",
                "a\u0000b",
                "a\r\nb",
                "\uD800",
                "a\u202Eb",
                "a\u200Bb",
                "\u007F",
                null);
    }

    @ParameterizedTest
    @MethodSource("badNames")
    void rule10ABadNameIsRefusedBeforeAnythingIsSent(String name) {
        assertThatThrownBy(() -> here.lock(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void badTimesAreRefusedBeforeAnythingIsSent() {
        List<Duration> bad = Arrays.asList(
                null,
                Duration.ZERO,
                Duration.ofMillis(-1),
                Duration.ofNanos(1),
                Duration.ofMillis(9),
                Duration.ofMillis(1L << 31),
                Duration.ofMillis(Long.MAX_VALUE),
                Duration.ofSeconds(Long.MAX_VALUE),
                Duration.ofSeconds(Long.MIN_VALUE));
        String name = Topology.name("job");
        DistributedLock lock = here.lock(name);
        for (Duration time : bad) {
            assertThatThrownBy(() -> LockOptions.DEFAULTS.withLeaseTime(time))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> LockOptions.DEFAULTS.withoutRenewal(time))
                    .isInstanceOf(IllegalArgumentException.class);
            if (time == null || time.isNegative() || time.toSeconds() > 86_400 || time.toNanosPart() == 1) {
                assertThatThrownBy(() -> lock.acquire(time)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> lock.tryAcquire(time)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> lock.async().acquire(time)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> lock.async().tryAcquire(time)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> lock.reactive().acquire(time)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> lock.reactive().tryAcquire(time)).isInstanceOf(IllegalArgumentException.class);
            }
        }
        assertThatThrownBy(() -> LockOptions.DEFAULTS.withLeaseTime(Duration.ofMillis(99)))
                .hasMessageContaining("PT0.1S");
        assertThat(redis.keys(key(name) + "*")).isEmpty();
    }

    @Test
    void theShortestAndTheLongestLeaseAreExact() {
        String name = Topology.name("job");
        Lease day = here.lock(name, leased(LockOptions.MAX_TIME)).tryAcquire().orElseThrow();
        assertThat(redis.pttl(key(name))).isBetween(86_390_000L, 86_400_000L);
        day.close();
        here.lock(name, LockOptions.DEFAULTS.withoutRenewal(LockOptions.MIN_LEASE_TIME))
                .async()
                .tryAcquire()
                .toCompletableFuture()
                .handle((lease, error) -> null)
                .join();
        onlyTheFenceIsLeft(name);
    }
}
