// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.OutcomeUnknownException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Four threads that want the same two locks, two of them in the opposite order. */
final class OpposedLocks {
    private static final int ROUNDS = 125;

    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger wrong = new AtomicInteger();
    private final AtomicInteger granted = new AtomicInteger();
    private final AtomicInteger finished = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();
    private final long seed;

    OpposedLocks(MultiLock here, MultiLock there, long seed) {
        this.seed = seed;
        for (int t = 0; t < 4; t++) {
            Random random = new Random(seed + t);
            MultiLock lock = t % 2 == 0 ? here : there;
            Thread thread = new Thread(() -> rounds(lock, random));
            threads.add(thread);
            thread.start();
        }
    }

    private void rounds(MultiLock lock, Random random) {
        for (int i = 0; i < ROUNDS; i++) {
            try {
                Optional<MultiLease> lease = lock.tryAcquire(Duration.ofMillis(random.nextInt(12)));
                if (lease.isPresent()) {
                    wrong.addAndGet(inside.incrementAndGet() > 1 && lease.get().isValid() ? 1 : 0);
                    granted.incrementAndGet();
                    inside.decrementAndGet();
                    lease.get().close();
                }
            } catch (InterruptedException e) {
                return;
            } catch (OutcomeUnknownException e) {
                // No answer within a few milliseconds: what was granted is released in the background.
                continue;
            }
        }
        finished.incrementAndGet();
    }

    void await() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(60));
        }
        assertThat(finished).as("seed " + seed).hasValue(4);
        assertThat(wrong).as("seed " + seed).hasValue(0);
        assertThat(granted).as("seed " + seed).hasPositiveValue();
    }
}
