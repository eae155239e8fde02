// SPDX-License-Identifier: Apache-2.0
package dev.interlock.benchmarks;

import dev.interlock.benchmarks.LockPeer.Kind;
import dev.interlock.embedded.RedisServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Whole processes that contend for one lock. */
final class LockJvmsCase implements Case {
    private static final int THREADS = 4;

    private final String title;
    private final long sectionNanos;
    private final boolean passing;
    private final List<Kind> kinds;
    private final RedisServer server = RedisServer.start();
    private final LockJvms jvms;

    private LockJvmsCase(String title, int processes, long sectionNanos, boolean passing, List<Kind> kinds)
            throws IOException {
        this.title = title;
        this.sectionNanos = sectionNanos;
        this.passing = passing;
        this.kinds = kinds;
        jvms = new LockJvms(processes, server.port());
        for (Kind kind : kinds) {
            jvms.all("open " + kind);
        }
    }

    static Case contended(long sectionNanos) throws IOException {
        String section = sectionNanos == 0 ? "" : ", critical section " + sectionNanos / 1_000_000 + " ms";
        return new LockJvmsCase(
                "lock, one key, 4 JVMs of " + THREADS + " threads" + section,
                4,
                sectionNanos,
                false,
                List.of(Kind.REDISSON, Kind.REDISSON_FAIR, Kind.SPRING, Kind.SPRING_PUSH, Kind.RAW, Kind.INTERLOCK));
    }

    static Case handOver() throws IOException {
        return new LockJvmsCase(
                "lock, hand-over: from the begin of a release to the next holder running in another JVM",
                2,
                0,
                true,
                List.of(Kind.REDISSON, Kind.SPRING, Kind.SPRING_PUSH, Kind.INTERLOCK));
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public List<Contender> contenders() {
        return kinds.stream().<Contender>map(this::contender).toList();
    }

    private Contender contender(Kind kind) {
        return new Contender() {
            @Override
            public String name() {
                return kind.title;
            }

            @Override
            public Measurement run(long nanos) throws Exception {
                return passing ? pass(kind, nanos) : contend(kind, nanos);
            }
        };
    }

    private Contender.Measurement contend(Kind kind, long nanos) throws IOException, DataFormatException {
        long start = System.nanoTime();
        List<String> answers = jvms.all("contend " + kind + ' ' + THREADS + ' ' + sectionNanos + ' ' + nanos);
        long took = System.nanoTime() - start;
        LockLoops.Result all = new LockLoops.Result(Driver.histogram(), List.of());
        long cpu = 0;
        for (String answer : answers) {
            String[] words = answer.split(" ", -1);
            cpu += Long.parseLong(words[0]);
            ByteBuffer encoded = ByteBuffer.wrap(Base64.getDecoder().decode(words[1]));
            all = all.add(new LockLoops.Result(
                    Histogram.decodeFromCompressedByteBuffer(encoded, 0),
                    Arrays.stream(words).skip(2).map(Long::valueOf).toList()));
        }
        return new Contender.Measurement(all.waits().getTotalCount(), took, all.waits(), all.fairness(), cpu);
    }

    /** One tenure, and which JVM had it. */
    private record Tenure(long from, long to, int jvm) {}

    private Contender.Measurement pass(Kind kind, long nanos) throws IOException {
        long start = System.nanoTime();
        List<String> answers = jvms.all("pass " + kind + ' ' + nanos);
        long took = System.nanoTime() - start;
        List<Tenure> tenures = new ArrayList<>();
        for (int jvm = 0; jvm < answers.size(); jvm++) {
            long[] times = Arrays.stream(answers.get(jvm).split(" ", -1))
                    .mapToLong(Long::parseLong)
                    .toArray();
            for (int i = 0; i < times.length; i += 2) {
                tenures.add(new Tenure(times[i], times[i + 1], jvm));
            }
        }
        tenures.sort(Comparator.comparingLong(Tenure::from));
        Histogram handOver = Driver.histogram();
        for (int i = 1; i < tenures.size(); i++) {
            Tenure before = tenures.get(i - 1);
            Tenure after = tenures.get(i);
            if (before.jvm != after.jvm) {
                handOver.recordValue(Math.max(0, after.from - before.to));
            }
        }
        return new Contender.Measurement(tenures.size(), took, handOver, handOver.getTotalCount() + " between JVMs", 0);
    }

    @Override
    public int redisPort() {
        return server.port();
    }

    @Override
    public void close() {
        jvms.close();
        server.close();
    }
}
