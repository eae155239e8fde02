// SPDX-License-Identifier: Apache-2.0
package dev.interlock.benchmarks;

import dev.interlock.benchmarks.LockPeer.Kind;
import dev.interlock.embedded.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Acquire and release by the threads of one JVM. */
final class LockCase implements Case {
    private final String title;
    private final int threads;
    private final IntFunction<String> keys;
    private final RedisServer server = RedisServer.start();
    private final List<LockPeer> peers = new ArrayList<>();

    private LockCase(String title, int threads, IntFunction<String> keys, Kind... kinds) {
        this.title = title;
        this.threads = threads;
        this.keys = keys;
        for (Kind kind : kinds) {
            peers.add(kind.connect(server.port()));
        }
    }

    static Case uncontended() {
        return new LockCase(
                "lock, uncontended, 1 thread, acquire and release",
                1,
                thread -> "alone",
                Kind.RAW,
                Kind.SHEDLOCK,
                Kind.SPRING,
                Kind.REDISSON,
                Kind.INTERLOCK);
    }

    static Case manyKeys() {
        return new LockCase(
                "lock, 64 threads on 64 keys",
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
                long start = System.nanoTime();
                LockLoops.Result result = LockLoops.run(peer, threads, keys, 0, nanos);
                return new Measurement(
                        result.waits().getTotalCount(),
                        System.nanoTime() - start,
                        result.waits(),
                        threads == 1 ? "" : result.fairness());
            }
        };
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
