// SPDX-License-Identifier: Apache-2.0
package dev.interlock.benchmarks;

import dev.interlock.benchmarks.LockPeer.Kind;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** One of several JVMs that contend for a lock: does what lines of its input say and answers each with a line. */
final class LockJvmMain {
    private static final String KEY = "hot";
    private static final long PASS_SECTION_NANOS = 3_000_000;

    private final Map<Kind, LockPeer> peers = new EnumMap<>(Kind.class);
    private final int port;

    private LockJvmMain(int port) {
        this.port = port;
    }

    /** The only argument is the port of Redis. */
    public static void main(String[] args) throws Exception {
        LockJvmMain jvm = new LockJvmMain(Integer.parseInt(args[0]));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ", -1);
            Kind kind = Kind.valueOf(words[1]);
            System.out.println(
                    switch (words[0]) {
                        case "open" -> jvm.open(kind);
                        case "contend" ->
                            jvm.contend(
                                    kind,
                                    Integer.parseInt(words[2]),
                                    Long.parseLong(words[3]),
                                    Long.parseLong(words[4]));
                        case "pass" -> jvm.pass(kind, Long.parseLong(words[2]));
                        default -> throw new IllegalArgumentException(line);
                    });
        }
        jvm.peers.values().forEach(LockPeer::close);
    }

    private LockPeer peer(Kind kind) {
        return Objects.requireNonNull(peers.get(kind), "not open");
    }

    private String open(Kind kind) throws Exception {
        LockPeer peer = kind.connect(port);
        peers.put(kind, peer);
        peer.acquire("warm-up-" + ProcessHandle.current().pid()).run();
        return "OPEN";
    }

    /** Answers "cpuNanos histogram count…", a count for each thread. */
    private String contend(Kind kind, int threads, long sectionNanos, long nanos) throws Exception {
        long cpu = cpuNanos();
        LockLoops.Result result = LockLoops.run(peer(kind), threads, thread -> KEY, sectionNanos, nanos);
        ByteBuffer histogram = ByteBuffer.allocate(result.waits().getNeededByteBufferCapacity());
        int length = result.waits().encodeIntoCompressedByteBuffer(histogram);
        String encoded = Base64.getEncoder().encodeToString(Arrays.copyOf(histogram.array(), length));
        return (cpuNanos() - cpu) + " " + encoded + ' '
                + text(result.counts().stream().mapToLong(Long::longValue));
    }

    /** Answers when the lock was had and when its release began, in turn. */
    private String pass(Kind kind, long nanos) throws Exception {
        LockPeer peer = peer(kind);
        LongStream.Builder times = LongStream.builder();
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() - end < 0) {
            Runnable release = peer.acquire(KEY);
            times.add(System.nanoTime());
            LockSupport.parkNanos(PASS_SECTION_NANOS);
            times.add(System.nanoTime());
            release.run();
        }
        return text(times.build());
    }

    private static String text(LongStream numbers) {
        return numbers.mapToObj(Long::toString).collect(Collectors.joining(" "));
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }
}
