// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Measures waits on a machine where a thread may have to wait for a core. */
final class LockDeadlines {
    private static final int TRIES = 8;
    private static final long PROMISED_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long NEVER_NANOS = TimeUnit.SECONDS.toNanos(1);

    private LockDeadlines() {}

    interface Waits {
        void runFor(Duration wait) throws Exception;
    }

    /** Never early, never much too late, and in time at least once when the machine gives it the chance. */
    static void endsInTime(Duration wait, Waits waits) {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < TRIES && best > PROMISED_NANOS; i++) {
            long begin = System.nanoTime();
            try {
                waits.runFor(wait);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            long late = System.nanoTime() - begin - wait.toNanos();
            assertThat(late).isBetween(0L, NEVER_NANOS);
            best = Math.min(best, late);
        }
        assertThat(best).isLessThanOrEqualTo(PROMISED_NANOS);
    }
}
