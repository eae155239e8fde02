// SPDX-License-Identifier: Apache-2.0
package dev.interlock.benchmarks;

import dev.interlock.embedded.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Decisions of rate limiters: on one key or many, blocking or asynchronous, allowed, denied or mixed. */
final class LimitCase implements Case {
    private static final int MANY = 10_000;

    private final String title;
    private final Load load;
    private final RedisServer server = RedisServer.start();
    private final List<LimitWay> ways = new ArrayList<>();
    private final LimitWay.Users users;

    private LimitCase(String title, LimitWay.Users users, Load load, LimitWay.Opener... openers) {
        this.title = title;
        this.users = users;
        this.load = load;
        for (LimitWay.Opener opener : openers) {
            ways.add(opener.open(server.port(), users));
        }
    }

    /** How the users ask. */
    private interface Load {
        Contender.Measurement run(LimitWay way, LimitWay.Users users, long nanos) throws Exception;
    }

    static LimitCase hot(String how, Load load, LimitWay.Opener... openers) {
        return new LimitCase("limiter, one hot key, " + how, new LimitWay.Users(1, user -> false), load, openers);
    }

    static LimitCase hotBlocking() {
        return hot("64 threads, blocking", blocking(64), all());
    }

    static LimitCase hotAsync() {
        return hot("asynchronous, 1000 in flight", async(1_000), all());
    }

    /** Latency at 60 % of what each way can do; plain Bucket4j does too little to be paced. */
    static LimitCase hotPaced() {
        return hot("asynchronous, at 60 % of the way's own maximum", LimitPace::run, ofMany());
    }

    static LimitCase denied() {
        LimitWay.Users user = new LimitWay.Users(1, each -> true);
        return new LimitCase("limiter, one hot key, denied, 2 threads, blocking", user, blocking(2), all());
    }

    static LimitCase manyAsync() {
        return many("asynchronous, 1000 in flight", async(1_000));
    }

    static LimitCase manyBlocking() {
        return many("64 threads, blocking", blocking(64));
    }

    static LimitCase manyPaced() {
        return many("asynchronous, at 60 % of the way's own maximum", LimitPace::run);
    }

    static LimitCase mixedAsync() {
        return mixed("asynchronous, 1000 in flight", async(1_000));
    }

    static LimitCase mixedBlocking() {
        return mixed("64 threads, blocking", blocking(64));
    }

    private static LimitCase many(String how, Load load) {
        LimitWay.Users users = new LimitWay.Users(MANY, user -> false);
        return new LimitCase("limiter, " + MANY + " keys, " + how, users, load, ofMany());
    }

    private static LimitCase mixed(String how, Load load) {
        LimitWay.Users users = new LimitWay.Users(MANY, user -> user % 2 == 1);
        return new LimitCase("limiter, " + MANY + " keys, every second one denied, " + how, users, load, ofMany());
    }

    private static LimitWay.Opener[] all() {
        return new LimitWay.Opener[] {
            LimitScriptWay::gcra,
            LimitScriptWay::gateway,
            LimitRedissonWay::new,
            (port, users) -> new LimitBucketWay(port, users, false),
            (port, users) -> new LimitBucketWay(port, users, true),
            LimitInterlockWay::new
        };
    }

    private static LimitWay.Opener[] ofMany() {
        return new LimitWay.Opener[] {
            LimitScriptWay::gcra,
            LimitScriptWay::gateway,
            LimitRedissonWay::new,
            (port, users) -> new LimitBucketWay(port, users, true),
            LimitInterlockWay::new
        };
    }

    private static Load blocking(int threads) {
        return (way, users, nanos) -> {
            LongAdder allowed = new LongAdder();
            Contender.Measurement measured = Driver.blocking(threads, nanos, number -> {
                if (way.take(users.of(number))) {
                    allowed.increment();
                }
            });
            return seen(measured, allowed.sum());
        };
    }

    private static Load async(int inFlight) {
        return (way, users, nanos) -> {
            LongAdder allowed = new LongAdder();
            Contender.Measurement measured = Driver.async(
                    inFlight,
                    nanos,
                    number -> way.takeAsync(users.of(number)).thenAccept(yes -> allowed.add(yes ? 1 : 0)));
            return seen(measured, allowed.sum());
        };
    }

    private static Contender.Measurement seen(Contender.Measurement measured, long allowed) {
        String remark = String.format("%.0f %% allowed", 100.0 * allowed / Math.max(1, measured.operations()));
        return new Contender.Measurement(measured.operations(), measured.nanos(), measured.latency(), remark);
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public List<Contender> contenders() {
        return ways.stream().map(this::contender).toList();
    }

    private Contender contender(LimitWay way) {
        return new Contender() {
            @Override
            public String name() {
                return way.name();
            }

            @Override
            public Measurement run(long nanos) throws Exception {
                return load.run(way, users, nanos);
            }
        };
    }

    @Override
    public int redisPort() {
        return server.port();
    }

    @Override
    public void close() {
        ways.forEach(LimitWay::close);
        server.close();
    }
}
