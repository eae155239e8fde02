// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Topology;
import dev.interlock.internal.Keys;
import dev.interlock.internal.LuaScript;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** L14: names that are used once. */
class LockOneTimeIT extends LockSetup {
    /** A million takes two minutes here: {@code -Dtest.jvm.args=-Dinterlock.names=1000000}. */
    private static final int NAMES = Integer.getInteger("interlock.names", 150_000);

    private static final int GIVEN_BACK = NAMES / 10;
    private static final int BATCH = 100;
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

    /** A part is taken and given back through the interface; for the rest the same script grants leases that lapse. */
    @Test
    void rule6OneTimeNamesLeaveNothingButSmallFencesThatExpire() throws Exception {
        redis.flushall();
        long before = usedMemory();
        takeAndGiveBack();
        grantAndLetLapse();
        Awaitility.await().atMost(LONG).until(() -> redis.exists(key("once-" + (NAMES - 1))) == 0);
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
        // Looking at keys whose time is over removes them; Redis by itself leaves up to a tenth for later.
        assertThat(redis.dbsize()).isLessThanOrEqualTo(NAMES + 1);
        assertThat((usedMemory() - before) / NAMES).isLessThan(MOST_BYTES_A_NAME);
        redis.flushall();
    }

    private void takeAndGiveBack() throws InterruptedException {
        Semaphore window = new Semaphore(IN_FLIGHT);
        AtomicInteger released = new AtomicInteger();
        for (int i = 0; i < GIVEN_BACK; i++) {
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
        assertThat(released).hasValue(GIVEN_BACK);
    }

    private void grantAndLetLapse() {
        RedisClient client = RedisClient.create(server.alone().uri());
        try {
            grantAndLetLapse(client.connect().async());
        } finally {
            client.shutdown(0, 1, TimeUnit.SECONDS);
        }
    }

    private void grantAndLetLapse(RedisAsyncCommands<String, String> async) {
        String sha = redis.scriptLoad(LuaScript.own(LockLane.class, "acquire").source());
        Keys names = new Keys("interlock");
        String token = "ab".repeat(16);
        List<RedisFuture<List<Object>>> calls = new ArrayList<>();
        for (int from = GIVEN_BACK; from < NAMES; from += BATCH) {
            List<String> keys = new ArrayList<>(4 * BATCH);
            List<String> args =
                    new ArrayList<>(List.of("-\t\t\t1", "64", "1800000", Long.toString(FENCE_MILLIS), "10000"));
            for (int i = from; i < from + BATCH; i++) {
                LockKeys of = new LockKeys(names, "lock", "once-" + i);
                for (byte[] key : List.of(of.lock, of.fence, of.queue, of.waiters)) {
                    keys.add(new String(key, StandardCharsets.UTF_8));
                }
                args.addAll(List.of(token, "10", "once"));
            }
            calls.add(async.evalsha(
                    sha, ScriptOutputType.MULTI, keys.toArray(String[]::new), args.toArray(String[]::new)));
            if (calls.size() == 50) {
                granted(calls);
            }
        }
        granted(calls);
    }

    private static void granted(List<RedisFuture<List<Object>>> calls) {
        for (RedisFuture<List<Object>> call : calls) {
            assertThat(call.toCompletableFuture().join()).hasOnlyElementsOfType(Long.class);
        }
        calls.clear();
    }

    private long usedMemory() {
        return redis.info("memory")
                .lines()
                .filter(line -> line.startsWith("used_memory:"))
                .mapToLong(line -> Long.parseLong(line.substring("used_memory:".length())))
                .sum();
    }
}
