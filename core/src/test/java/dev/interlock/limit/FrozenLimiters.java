// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import dev.interlock.Deployment;
import dev.interlock.InterlockListener;
import dev.interlock.ScriptMode;
import dev.interlock.Topology;
import dev.interlock.internal.Engine;
import dev.interlock.internal.Keys;
import dev.interlock.internal.Replies;
import dev.interlock.internal.Text;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Limiters whose clocks, that of Redis and that of the JVM, stand still until a test moves them. */
final class FrozenLimiters implements AutoCloseable {
    /** A time of day like any other: some microseconds into a second. */
    static final long START = 1_790_000_000_123_457L;

    static final RateLimiterOptions UNCACHED =
            RateLimiterOptions.DEFAULT.withDenialCacheSize(0).withDeadline(Topology.PATIENCE);

    final Deployment server;
    final Engine engine;
    final AtomicLong micros = new AtomicLong(START);

    FrozenLimiters(Topology topology) {
        server = topology.start();
        engine = Engine.connect(
                Stream.of(server.uris()).map(RedisURI::create).toList(),
                SslOptions.create(),
                null,
                new Engine.Settings(
                        new Keys("test"),
                        Topology.PATIENCE,
                        1_000_000,
                        ScriptMode.EVALSHA,
                        new InterlockListener() {}));
    }

    RateLimiter limiter(String name, Limit... limits) {
        return limiter(name, UNCACHED, limits);
    }

    RateLimiter limiter(String name, RateLimiterOptions options, Limit... limits) {
        LimiterSpec spec = new LimiterSpec(engine.keys(), name, options, limits);
        DenialCache denials = engine.shared(DenialCache.class, name, () -> new DenialCache(() -> micros.get() * 1000));
        return new BlockingRateLimiter(LimiterCalls.create(engine, spec, denials, micros::get));
    }

    /** Sends chosen batches, so that a test knows which requests share a call and in which order. */
    final class Direct {
        final Limit[] limits;
        final RateLimiter limiter;
        private final LimiterSpec spec;
        private final LimitScripts scripts;
        private long calls;

        Direct(String name, Limit... limits) {
            this.limits = limits;
            limiter = limiter(name, limits);
            spec = new LimiterSpec(engine.keys(), name, UNCACHED, limits);
            scripts = LimitScripts.of(spec.specs);
        }

        CompletableFuture<List<Decision>> decide(List<Request> requests) {
            return decide(requests, ++calls);
        }

        /** As the call with this number of the lane; no decisions if a later call was run. */
        CompletableFuture<List<Decision>> decide(List<Request> requests, long call) {
            Batch batch = new Batch(spec, requests);
            return engine.scripts()
                    .run(scripts.take(), keys(batch), args(batch, call))
                    .thenApply(reply -> {
                        Replies replies = Replies.of(scripts.take(), reply);
                        return replies.status() == 1
                                ? List.of()
                                : batch.decide(
                                        new Answer(replies.bytes(1)), new Receipt.Call(spec.name, spec.name, call));
                    });
        }

        byte[][] keys(Batch batch) {
            return batch.keys(spec.key("lane", "lane"));
        }

        byte[][] args(Batch batch, long call) {
            return batch.args(
                    Text.bytes(new Receipt.Call(spec.name, spec.name, call).digits()),
                    Text.bytes(60_000),
                    Text.bytes(micros.get()),
                    Text.bytes(limits.length));
        }

        Batch batch(String user, long units) {
            return new Batch(spec, List.of(new Request(user, units, 0, 0)));
        }

        String sha1() {
            return scripts.take().sha1();
        }

        byte[][] states(String user) {
            return spec.states(user);
        }
    }

    Direct direct(Limit... limits) {
        return new Direct(Topology.name("direct"), limits);
    }

    @Override
    public void close() {
        engine.close();
        server.close();
    }
}
