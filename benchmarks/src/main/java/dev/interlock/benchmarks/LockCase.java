// SPDX-License-Identifier: Apache-2.0
package dev.interlock.benchmarks;

import dev.interlock.benchmarks.LockPeer.Kind;
import dev.interlock.embedded.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;

/** Acquire and release by the threads of one JVM. */
final class LockCase implements Case {
    private static final double SHARE = 0.6;

    /** How the threads work. */
    private enum Style {
        /** As fast as they can. */
        CLOSED,
        /** Likewise, as virtual threads. */
        VIRTUAL,
        /** At 60 % of what they did as fast as they can, in the first third of the time. */
        PACED
    }

    private final String title;
    private final Style style;
    private final int threads;
    private final IntFunction<String> keys;
    private final RedisServer server = RedisServer.start();
    private final List<LockPeer> peers = new ArrayList<>();

    private LockCase(String title, Style style, int threads, IntFunction<String> keys, Kind... kinds) {
        this.title = title;
        this.style = style;
        this.threads = threads;
        this.keys = keys;
        for (Kind kind : kinds) {
            peers.add(kind.connect(server.port()));
        }
    }

    static Case uncontended() {
        return new LockCase(
                "lock, uncontended, 1 thread, acquire and release",
                Style.CLOSED,
                1,
                thread -> "alone",
                Kind.RAW,
                Kind.SHEDLOCK,
                Kind.SPRING,
                Kind.REDISSON,
                Kind.INTERLOCK);
    }

    static Case manyKeys() {
        return manyKeys("lock, 64 threads on 64 keys", Style.CLOSED);
    }

    static Case manyKeysVirtual() {
        return manyKeys("lock, 64 virtual threads on 64 keys", Style.VIRTUAL);
    }

    static Case manyKeysPaced() {
        return manyKeys("lock, 64 threads on 64 keys, arrivals at 60 % of the most of each way", Style.PACED);
    }

    private static Case manyKeys(String title, Style style) {
        return new LockCase(
                title,
                style,
                64,
                thread -> "key" + thread,
                Kind.RAW,
                Kind.SHEDLOCK,
                Kind.SPRING,
                Kind.REDISSON,
                Kind.INTERLOCK);
    }

    static Case oneKey() {
        return new LockCase(
                "lock, one key, 16 threads of one JVM",
                Style.CLOSED,
                16,
                thread -> "hot",
                Kind.REDISSON,
                Kind.REDISSON_FAIR,
                Kind.SPRING,
                Kind.SPRING_PUSH,
                Kind.RAW,
                Kind.INTERLOCK);
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public List<Contender> contenders() {
        if (style == Style.VIRTUAL && !LockLoops.hasVirtualThreads()) {
            System.err.println("not run: this JVM has no virtual threads, Java 25 has");
            return List.of();
        }
        return peers.stream().<Contender>map(this::contender).toList();
    }

    private Contender contender(LockPeer peer) {
        return new Contender() {
            @Override
            public String name() {
                return peer.name();
            }

            @Override
            public Measurement run(long nanos) throws Exception {
                return style == Style.PACED ? paced(peer, nanos) : closed(peer, nanos);
            }
        };
    }

    private Contender.Measurement closed(LockPeer peer, long nanos) throws Exception {
        long start = System.nanoTime();
        LockLoops.Result result = style == Style.VIRTUAL
                ? LockLoops.virtual(peer, threads, keys, nanos)
                : LockLoops.run(peer, threads, keys, 0, nanos);
        return new Contender.Measurement(
                result.waits().getTotalCount(),
                System.nanoTime() - start,
                result.waits(),
                threads == 1 ? "" : result.fairness());
    }

    private Contender.Measurement paced(LockPeer peer, long nanos) throws Exception {
        long third = nanos / 3;
        double most = LockLoops.run(peer, threads, keys, 0, third).waits().getTotalCount() * 1e9 / third;
        long start = System.nanoTime();
        Histogram waits = LockLoops.paced(peer, threads, keys, SHARE * most, nanos - third)
                .waits();
        return new Contender.Measurement(
                waits.getTotalCount(),
                System.nanoTime() - start,
                waits,
                String.format(Locale.ROOT, "of at most %,.0f/s; commands and CPU count the search for it too", most));
    }

    @Override
    public int redisPort() {
        return server.port();
    }

    @Override
    public void close() {
        peers.forEach(LockPeer::close);
        server.close();
    }
}
