// SPDX-License-Identifier: Apache-2.0
package dev.interlock.benchmarks;

import dev.interlock.embedded.RedisServer;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.TransactionResult;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * The four ways that tutorials show for "take one if there is one": a test and a decrement in a pipeline, MULTI with a test
 * afterwards, WATCH with MULTI, and a script. All on one hot counter, each thread with a connection of its own.
 */
final class WaysCase implements Case {
    private static final int THREADS = 16;
    private static final long STOCK = 20_000;
    private static final String LUA = "local n = tonumber(redis.call('GET', KEYS[1])) if n <= 0 then return -1 end "
            + "return redis.call('DECR', KEYS[1])";

    private final RedisServer server = RedisServer.start();
    private final RawRedis redis = new RawRedis(server.port(), false);
    private final List<StatefulRedisConnection<String, String>> connections = new ArrayList<>();
    private final StatefulRedisConnection<String, String> admin = redis.connectText();
    private final String sha = admin.sync().scriptLoad(LUA);

    WaysCase() {
        for (int i = 0; i < THREADS; i++) {
            connections.add(redis.connectText());
        }
    }

    @Override
    public String title() {
        return "take one of " + STOCK + " if there is one, " + THREADS
                + " threads on one key, until it is sold out and on";
    }

    @Override
    public List<Contender> contenders() {
        return List.of(
                new Way("WATCH, GET, MULTI, DECR, EXEC", WaysCase::watch),
                new Way("GET, then DECR (pipeline)", WaysCase::pipeline),
                new Way("MULTI, GET, DECR, EXEC, tested after", WaysCase::multi),
                new Way("Lua script (EVALSHA)", this::lua));
    }

    /** Takes one; answers how many tries it took, negative if it was refused. */
    private interface Take {
        int take(StatefulRedisConnection<String, String> connection);
    }

    private static int watch(StatefulRedisConnection<String, String> connection) {
        var commands = connection.sync();
        for (int tries = 1; ; tries++) {
            commands.watch("stock");
            if (Long.parseLong(commands.get("stock")) <= 0) {
                commands.unwatch();
                return -tries;
            }
            commands.multi();
            commands.decr("stock");
            if (!commands.exec().wasDiscarded()) {
                return tries;
            }
        }
    }

    private static int pipeline(StatefulRedisConnection<String, String> connection) {
        if (Long.parseLong(connection.sync().get("stock")) <= 0) {
            return -1;
        }
        connection.sync().decr("stock");
        return 1;
    }

    private static int multi(StatefulRedisConnection<String, String> connection) {
        var commands = connection.sync();
        commands.multi();
        commands.get("stock");
        commands.decr("stock");
        TransactionResult result = commands.exec();
        return Long.parseLong(result.get(0)) > 0 ? 1 : -1;
    }

    private int lua(StatefulRedisConnection<String, String> connection) {
        Long left = connection.sync().evalsha(sha, ScriptOutputType.INTEGER, "stock");
        return left >= 0 ? 1 : -1;
    }

    private final class Way implements Contender {
        private final String name;
        private final Take take;

        Way(String name, Take take) {
            this.name = name;
            this.take = take;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Measurement run(long nanos) throws Exception {
            admin.sync().set("stock", String.valueOf(STOCK));
            AtomicLong issued = new AtomicLong();
            AtomicLong tries = new AtomicLong();
            AtomicLong thread = new AtomicLong();
            AtomicLong refused = new AtomicLong();
            long start = System.nanoTime();
            Measurement all = Driver.together(
                    THREADS,
                    () -> {
                        var connection = connections.get((int) thread.getAndIncrement());
                        Histogram latency = Driver.histogram();
                        while (refused.get() < STOCK / 4 && System.nanoTime() - start < nanos) {
                            long sent = System.nanoTime();
                            int outcome = take.take(connection);
                            latency.recordValue(System.nanoTime() - sent);
                            tries.addAndGet(Math.abs(outcome));
                            (outcome > 0 ? issued : refused).incrementAndGet();
                        }
                        return latency;
                    },
                    start);
            long left = Long.parseLong(admin.sync().get("stock"));
            String remark = String.format(
                    "issued %d, counter %d, oversold %d, %.2f tries a request",
                    issued.get(),
                    left,
                    Math.max(0, Math.max(issued.get() - STOCK, -left)),
                    tries.get() / (double) all.operations());
            return new Measurement(all.operations(), all.nanos(), all.latency(), remark);
        }
    }

    @Override
    public int redisPort() {
        return server.port();
    }

    @Override
    public void close() {
        redis.close();
        server.close();
    }
}
