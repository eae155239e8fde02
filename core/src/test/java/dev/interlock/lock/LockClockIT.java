// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Topology;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * L8 and L15: a wrong clock of a client. A clock cannot be set for one process here, so the wire is looked at: what a client
 * sends holds no time, so Redis decides the same whatever the client's clock says. ArchitectureTest shows that the client
 * itself does not read it.
 */
class LockClockIT extends LockSetup {
    private static final Pattern NUMBER = Pattern.compile("(?<![0-9a-f])\\d{10,19}(?![0-9a-f])");
    private static final long NEAR_SECONDS = TimeUnit.DAYS.toSeconds(30);

    private final Queue<String> sent = new ConcurrentLinkedQueue<>();

    LockClockIT() {
        super(Topology.STANDALONE);
    }

    @Test
    void nothingAClientSendsForALockOrAPermitHoldsATimeOfItsClock() throws Exception {
        try (Socket monitor =
                new Socket(InetAddress.getLoopbackAddress(), server.alone().port())) {
            monitor.getOutputStream().write("MONITOR\r\n".getBytes(StandardCharsets.US_ASCII));
            CompletableFuture<Void> reading = CompletableFuture.runAsync(() -> read(monitor));
            Awaitility.await().atMost(LONG).until(() -> sent.contains("+OK"));
            useLocks();
            redis.echo("that was all");
            Awaitility.await().atMost(LONG).until(() -> sent.stream().anyMatch(line -> line.contains("that was all")));
            monitor.shutdownInput();
            reading.get(20, TimeUnit.SECONDS);
        }
        List<String> calls = sent.stream()
                .filter(line -> line.contains("\"EVALSHA\""))
                .map(line -> line.substring(line.indexOf(']')))
                .toList();
        assertThat(calls)
                .as("acquire, wait, renew, extend, release; enter, prolong, leave")
                .hasSizeGreaterThan(10)
                .noneMatch(LockClockIT::holdsATime);
        // The eye is not blind: Redis' own stamp, which scripts write, is seen as a time.
        assertThat(sent).anyMatch(line -> line.contains(" lua]") && holdsATime(line.substring(line.indexOf(']'))));
    }

    private void read(Socket monitor) {
        try {
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(monitor.getInputStream(), StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                sent.add(line);
            }
        } catch (IOException e) {
            sent.add("-" + e);
        }
    }

    private void useLocks() throws Exception {
        String name = Topology.name("clock");
        LockOptions options = leased(Duration.ofMillis(600));
        Lease held = here.lock(name, options).acquire(LONG);
        CompletableFuture<Lease> next =
                there.lock(name, options).async().acquire(LONG).toCompletableFuture();
        Awaitility.await()
                .atMost(LONG)
                .until(() ->
                        sent.stream().filter(line -> line.contains("PEXPIRE")).count() > 4);
        held.extend(Duration.ofSeconds(2));
        held.release();
        next.get(20, TimeUnit.SECONDS).release();
        Permits permits = here.locks().semaphore(name, 1, options);
        Lease permit = permits.acquire(LONG);
        permit.extend(Duration.ofSeconds(2));
        permit.release();
        here.locks().readWriteLock(name, options).writing().acquire(LONG).release();
    }

    /** Seconds, milliseconds, microseconds or nanoseconds since 1970 that lie near this machine's time. */
    private static boolean holdsATime(String call) {
        long now = TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis());
        Matcher numbers = NUMBER.matcher(call);
        while (numbers.find()) {
            String digits = numbers.group();
            for (int unit = 0; unit <= 9; unit += 3) {
                if (digits.length() == 10 + unit
                        && Math.abs(Long.parseLong(digits.substring(0, 10)) - now) < NEAR_SECONDS) {
                    return true;
                }
            }
        }
        return false;
    }
}
