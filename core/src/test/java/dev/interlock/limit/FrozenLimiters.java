// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import dev.interlock.InterlockListener;
import dev.interlock.Topology;
import dev.interlock.embedded.RedisServer;
import dev.interlock.internal.Engine;
import dev.interlock.internal.Keys;
import io.lettuce.core.RedisURI;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Limiters whose clocks, that of Redis and that of the JVM, stand still until a test moves them. */
final class FrozenLimiters implements AutoCloseable {
    /** A time of day like any other: some microseconds into a second. */
    static final long START = 1_790_000_000_123_457L;

    static final RateLimiterOptions UNCACHED =
            RateLimiterOptions.DEFAULT.withDenialCacheSize(0).withDeadline(Topology.PATIENCE);

    final RedisServer server;
    final Engine engine;
    final AtomicLong micros = new AtomicLong(START);

    FrozenLimiters(Topology topology) {
        server = topology.start();
        engine = Engine.connect(
                List.of(RedisURI.create(server.uri())),
                null,
                new Engine.Settings(new Keys("test"), Topology.PATIENCE, 1_000_000, new InterlockListener() {}));
    }

    RateLimiter limiter(String name, Limit... limits) {
        return limiter(name, UNCACHED, limits);
    }

    RateLimiter limiter(String name, RateLimiterOptions options, Limit... limits) {
        LimiterSpec spec = new LimiterSpec(engine.keys(), name, options, limits);
        DenialCache denials = engine.shared(DenialCache.class, name, () -> new DenialCache(() -> micros.get() * 1000));
        return new BlockingRateLimiter(LimiterCalls.create(engine, spec, denials, micros::get));
    }

    @Override
    public void close() {
        engine.close();
        server.close();
    }
}
