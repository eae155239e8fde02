// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Topology;
import io.lettuce.core.ScriptOutputType;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** L14: names that are used once. */
class LockOneTimeIT extends LockSetup {
    private static final int NAMES = 1_000_000;
    private static final int IN_FLIGHT = 4_000;
    private static final long MOST_BYTES_A_NAME = 200;
    private static final long FENCE_MILLIS = TimeUnit.DAYS.toMillis(2);
    /** Answers the next cursor, then how many keys a step met, and how many of them are no fence that expires in two days. */
    private static final String LOOK = """
            local step = redis.call('SCAN', ARGV[1], 'COUNT', 5000)
            local wrong = 0
            for _, key in ipairs(step[2]) do
              local left = redis.call('PTTL', key)
              if not string.find(key, ':fence$') or left <= 0 or left > tonumber(ARGV[2]) then wrong = wrong + 1 end
            end
            return { tonumber(step[1]), #step[2], wrong }
            """;

    LockOneTimeIT() {
        super(Topology.STANDALONE);
    }

    @Test
    void rule6AMillionOneTimeNamesLeaveNothingButSmallFencesThatExpire() throws Exception {
        redis.flushall();
        long before = usedMemory();
        Semaphore window = new Semaphore(IN_FLIGHT);
        AtomicInteger released = new AtomicInteger();
        for (int i = 0; i < NAMES; i++) {
            window.acquire();
            here.lock("once-" + i)
                    .async()
                    .tryAcquire()
                    .thenCompose(lease -> lease.orElseThrow().async().release())
                    .whenComplete((met, error) -> {
                        if (met instanceof ReleaseResult.Released) {
                            released.incrementAndGet();
                        }
                        window.release();
                    });
        }
        assertThat(window.tryAcquire(IN_FLIGHT, 30, TimeUnit.SECONDS)).isTrue();
        assertThat(released).hasValue(NAMES);
        assertThat(redis.dbsize()).isEqualTo(NAMES);
        assertThat((usedMemory() - before) / NAMES).isLessThan(MOST_BYTES_A_NAME);
        long cursor = 0;
        long met = 0;
        do {
            List<Long> step = redis.eval(
                    LOOK, ScriptOutputType.MULTI, new String[0], Long.toString(cursor), Long.toString(FENCE_MILLIS));
            cursor = step.get(0);
            met += step.get(1);
            assertThat(step.get(2)).isZero();
        } while (cursor != 0);
        assertThat(met).isGreaterThanOrEqualTo(NAMES);
        redis.flushall();
    }

    private long usedMemory() {
        return redis.info("memory")
                .lines()
                .filter(line -> line.startsWith("used_memory:"))
                .mapToLong(line -> Long.parseLong(line.substring("used_memory:".length())))
                .sum();
    }
}
