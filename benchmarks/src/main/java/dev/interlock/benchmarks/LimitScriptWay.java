// SPDX-License-Identifier: Apache-2.0
package dev.interlock.benchmarks;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** One EVALSHA a decision, as it is written by hand everywhere. */
final class LimitScriptWay implements LimitWay {
    /** The generic cell rate algorithm in its shortest form; the interval of a unit and the burst are in microseconds. */
    private static final String GCRA = """
            local v = redis.call('GET', KEYS[1])
            local t = redis.call('TIME')
            local now = t[1] * 1000000 + t[2]
            local tat = math.max(v and tonumber(v) or 0, now) + tonumber(ARGV[1])
            if tat - now > tonumber(ARGV[2]) then
              return {0, tat - now}
            end
            redis.call('SET', KEYS[1], string.format('%.0f', tat), 'PX', math.floor((tat - now) / 1000) + 2)
            return {1, tat - now}
            """;
    /** Spring Cloud Gateway's algorithm: tokens and the second of the last refill, in a key each. */
    private static final String TOKEN_BUCKET = """
            local rate, capacity, asked = tonumber(ARGV[1]), tonumber(ARGV[2]), 1
            local second = tonumber(redis.call('TIME')[1])
            local keep = math.max(1, math.floor(2 * capacity / rate))
            local tokens = tonumber(redis.call('GET', KEYS[1])) or capacity
            local since = tonumber(redis.call('GET', KEYS[2])) or 0
            tokens = math.min(capacity, tokens + math.max(0, second - since) * rate)
            local allowed = tokens >= asked
            if allowed then
              tokens = tokens - asked
            end
            redis.call('SETEX', KEYS[1], keep, tokens)
            redis.call('SETEX', KEYS[2], keep, second)
            return {allowed and 1 or 0, tokens}
            """;

    private final String name;
    private final RawRedis redis;
    private final StatefulRedisConnection<String, String> connection;
    private final String sha;
    private final String[][] keys;
    private final String[][] args;

    private LimitScriptWay(String name, String script, int port, Users users, boolean gateway) {
        this.name = name;
        redis = new RawRedis(port, false);
        connection = redis.connectText();
        sha = connection.sync().scriptLoad(script);
        keys = new String[users.count()][];
        args = new String[users.count()][];
        for (int user = 0; user < users.count(); user++) {
            boolean scarce = users.scarce().test(user);
            String key = (gateway ? "gateway.{" : "gcra:{") + Users.key(user) + "}";
            keys[user] = gateway ? new String[] {key + ".tokens", key + ".timestamp"} : new String[] {key};
            if (gateway) {
                args[user] = scarce ? new String[] {"0.00001", "1"} : text(Users.PLENTY, Users.PLENTY);
            } else {
                args[user] = scarce ? text(Users.DAY_MICROS, Users.DAY_MICROS) : new String[] {"0.001", "1000000"};
            }
        }
    }

    private static String[] text(long first, long second) {
        return new String[] {String.valueOf(first), String.valueOf(second)};
    }

    static LimitWay gcra(int port, Users users) {
        return new LimitScriptWay("single EVALSHA, GCRA", GCRA, port, users, false);
    }

    static LimitWay gateway(int port, Users users) {
        return new LimitScriptWay("Spring Cloud Gateway's algorithm", TOKEN_BUCKET, port, users, true);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean take(int user) {
        return takeAsync(user).toCompletableFuture().join();
    }

    @Override
    public CompletionStage<Boolean> takeAsync(int user) {
        return connection
                .async()
                .<List<Object>>evalsha(sha, ScriptOutputType.MULTI, keys[user], args[user])
                .thenApply(reply -> (Long) reply.get(0) == 1);
    }

    @Override
    public void close() {
        redis.close();
    }
}
