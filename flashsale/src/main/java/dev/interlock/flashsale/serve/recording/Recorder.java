// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.recording;

import com.zaxxer.hikari.HikariDataSource;
import dev.interlock.Interlock;
import dev.interlock.flashsale.serve.FlashSaleSettings;
import dev.interlock.flashsale.serve.web.Problem;
import dev.interlock.flashsale.serve.web.RefusedException;
import dev.interlock.ledger.ReconcileResult;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;

/**
 * Has every pool recorded and checked regularly, and stops issuing where the database is too far behind. Thread-safe; when it
 * is closed, batches in flight are finished, and what is not recorded stays in the outbox for the next start.
 */
@Component
public final class Recorder implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Recorder.class);
    private static final Duration RETRY_WHEN_BEHIND = Duration.ofSeconds(5);

    private final Interlock interlock;
    private final HikariDataSource source;
    private final long maxLag;
    private final RecordingMeters meters;
    private final Map<String, RecordedPool> pools = new ConcurrentHashMap<>();
    private final ScheduledExecutorService checks;

    Recorder(
            Interlock interlock,
            @Qualifier("relayConnections") HikariDataSource source,
            FlashSaleSettings settings,
            RecordingMeters meters) {
        this.interlock = interlock;
        this.source = source;
        this.maxLag = settings.maxLag();
        this.meters = meters;
        checks = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "flashsale-reconcile");
            thread.setDaemon(true);
            return thread;
        });
        long every = settings.reconcileEvery().toMillis();
        checks.scheduleWithFixedDelay(this::checkAll, every, every, TimeUnit.MILLISECONDS);
        meters.watch(pools.values());
    }

    /**
     * Has a pool recorded from now on; nothing happens if it is already. Blocking: before it returns, this process knows how
     * far the pool was recorded, so that even its first call notices if Redis went back in time. The pool need not exist yet.
     *
     * @param name name of the pool
     * @throws org.springframework.dao.DataAccessException if the database fails; the pool is not watched then
     */
    public void watch(String name) {
        pools.computeIfAbsent(name, pool -> RecordedPool.start(interlock, pool, source, meters.listener()));
    }

    /**
     * What is known of a pool's recording.
     *
     * @param name name of the pool
     * @return the pool, or empty if it is not watched
     */
    public Optional<RecordedPool> pool(String name) {
        return Optional.ofNullable(pools.get(name));
    }

    /**
     * Refuses if the database is too far behind.
     *
     * @param name name of the pool
     * @throws RefusedException {@link Problem#UNAVAILABLE} if more events than the limit wait to be recorded
     */
    public void ensureKeepsUp(String name) {
        RecordedPool pool = pools.get(name);
        if (pool != null && pool.status().lag() > maxLag) {
            throw new RefusedException(Problem.UNAVAILABLE, "the database is too far behind; nothing was issued")
                    .retryAfter(RETRY_WHEN_BEHIND);
        }
    }

    /**
     * Whether some pool is too far behind.
     *
     * @return true if issuing from it is refused
     */
    public boolean behind() {
        return pools.values().stream().anyMatch(pool -> pool.status().lag() > maxLag);
    }

    /**
     * Checks a pool against the database now. Blocking; waits some seconds for the relay if need be.
     *
     * @param name name of the pool
     * @return what it found, or empty if the pool is not watched
     */
    public Optional<ReconcileResult> check(String name) {
        return pool(name).map(RecordedPool::check);
    }

    private void checkAll() {
        for (RecordedPool pool : pools.values()) {
            try {
                pool.check();
            } catch (RuntimeException e) {
                log.warn("the check of pool {} failed; the next one comes: {}", pool.name(), e.toString());
            }
        }
    }

    @Override
    public void close() {
        checks.shutdownNow();
        // Each may wait for its last batch; all at once they take no longer than one.
        Thread[] closing = pools.values().stream()
                .map(pool -> new Thread(pool::close, "close-" + pool.name()))
                .toArray(Thread[]::new);
        for (Thread thread : closing) {
            thread.start();
        }
        for (Thread thread : closing) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
