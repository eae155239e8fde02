// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Topology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many threads that block on locks: virtual ones where the JDK has them, and none of these may pin its carrier. */
class LockPinningIT extends LockSetup {
    private static final int THREADS = 200;
    private static final int ROUNDS = 5;

    @TempDir
    private Path folder;

    private int unprotected;

    LockPinningIT() {
        super(Topology.STANDALONE);
    }

    // Semantics 9

    @Test
    void rule9BlockedThreadsPinNoCarrierAndExcludeEachOther() throws Exception {
        String name = Topology.name("job");
        ThreadLockIT.Kind kind =
                Runtime.version().feature() >= 21 ? ThreadLockIT.Kind.VIRTUAL : ThreadLockIT.Kind.PLATFORM;
        try (Recording recording = new Recording()) {
            recording
                    .enable("jdk.VirtualThreadPinned")
                    .withThreshold(Duration.ZERO)
                    .withStackTrace();
            recording.start();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                boolean asLock = i % 2 == 0;
                DistributedLock lock = (i % 4 < 2 ? here : there).lock(name);
                threads.add(kind.start(() -> count(lock, asLock)));
            }
            for (Thread thread : threads) {
                thread.join(TimeUnit.SECONDS.toMillis(60));
            }
            recording.stop();
            assertThat(unprotected).isEqualTo(THREADS * ROUNDS);
            assertThat(pinned(recording)).isEmpty();
        }
        onlyTheFenceIsLeft(name);
    }

    private void count(DistributedLock lock, boolean asLock) {
        for (int i = 0; i < ROUNDS; i++) {
            if (asLock) {
                Lock adapter = new ThreadLock(lock);
                adapter.lock();
                unprotected++;
                adapter.unlock();
            } else {
                try (Lease lease = lock.acquire(LONG)) {
                    lease.ensureValid();
                    unprotected++;
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    /** Pinnings with a frame of ours. */
    private List<RecordedEvent> pinned(Recording recording) throws IOException {
        Path file = folder.resolve("pinned.jfr");
        recording.dump(file);
        assertThat(Files.exists(file)).isTrue();
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals("jdk.VirtualThreadPinned"))
                .filter(event -> event.getStackTrace() == null
                        || event.getStackTrace().getFrames().stream()
                                .anyMatch(frame ->
                                        frame.getMethod().getType().getName().startsWith("dev.interlock")))
                .toList();
    }
}
