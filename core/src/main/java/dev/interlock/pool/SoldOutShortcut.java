// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.internal.Engine;
import dev.interlock.internal.HashScan;
import dev.interlock.internal.Tracking;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Answers "sold out" in this JVM, without Redis, and never to a user who holds a unit: while a pool is sold out nobody can
 * win, so the set of winners, read once, stays exact.
 *
 * <pre>
 *  OFF ── sold-out answer, watch armed and silent since it was sent ──▶ LOADING winners ──▶ ON
 *  ON  ── push about the version key, connection lost, 1 s without a fresh answer, a hold ends ──▶ OFF
 *  ON  ── older than 400 ms ──▶ one request goes to Redis as a probe; its sold-out answer refreshes ON
 * </pre>
 */
final class SoldOutShortcut {
    private static final long PROBE_NANOS = TimeUnit.MILLISECONDS.toNanos(400);
    private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long IDLE_SECONDS = 60;
    /** Beyond this many winners the set is not worth its memory, and every request goes to Redis. */
    private static final int MAX_WINNERS = 200_000;

    private final Engine engine;
    private final PoolKeys keys;
    private final AtomicBoolean loading = new AtomicBoolean();
    private volatile Tracking.@Nullable Watch watch;
    private volatile @Nullable View view;
    private volatile long usedNanos = System.nanoTime();

    SoldOutShortcut(Engine engine, PoolKeys keys) {
        this.engine = engine;
        this.keys = keys;
    }

    /** What was known when a request was sent. */
    record Mark(boolean armed, long changes) {}

    private record View(Set<String> winners, long version, long freshNanos, long lifeNanos, AtomicBoolean probing) {
        /** Ends after a second, or when the next hold does: its units come back then. */
        View(Set<String> winners, long version, long holdEndsMicros) {
            this(winners, version, System.nanoTime(), lifeNanos(holdEndsMicros), new AtomicBoolean());
        }

        private static long lifeNanos(long holdEndsMicros) {
            return holdEndsMicros < 0
                    ? MAX_AGE_NANOS
                    : Math.min(MAX_AGE_NANOS, TimeUnit.MICROSECONDS.toNanos(holdEndsMicros));
        }
    }

    boolean answers(String userId) {
        View current = view;
        if (current == null) {
            return false;
        }
        long now = System.nanoTime();
        long age = now - current.freshNanos;
        usedNanos = now;
        if (age > current.lifeNanos) {
            view = null;
            return false;
        }
        if (current.winners.contains(userId)) {
            return false;
        }
        return age < PROBE_NANOS || !current.probing.compareAndSet(false, true);
    }

    Mark mark() {
        Tracking.Watch current = watch;
        return current == null ? new Mark(false, 0) : new Mark(current.armed(), current.changes());
    }

    /** A request was answered otherwise: if something changed, a push about it is on its way, or was lost. */
    void notSoldOut(long version, long left) {
        View current = view;
        if (current != null && (left > 0 || current.version != version)) {
            view = null;
        }
    }

    /**
     * A request that was sent at the mark was told "sold out", at this version of the pool, and the next hold ends after so
     * many microseconds, or there is none if negative.
     */
    void soldOut(Mark mark, long version, long holdEndsMicros) {
        Tracking.Watch current = watch;
        if (current == null) {
            startWatching();
            return;
        }
        if (!holds(current, mark)) {
            return;
        }
        View known = view;
        if (known != null && known.version == version) {
            view = new View(known.winners, version, holdEndsMicros);
        } else if (loading.compareAndSet(false, true)) {
            loadWinners().whenComplete((winners, error) -> {
                if (error == null && winners.size() <= MAX_WINNERS && holds(current, mark)) {
                    view = new View(winners, version, holdEndsMicros);
                }
                loading.set(false);
            });
        }
        // A push that came while the view was being set has found nothing to clear.
        if (!holds(current, mark)) {
            view = null;
        }
    }

    private static boolean holds(Tracking.Watch watch, Mark mark) {
        return mark.armed && watch.armed() && watch.changes() == mark.changes;
    }

    private synchronized void startWatching() {
        if (watch == null) {
            watch = engine.tracking().watch(keys.version, () -> view = null);
            usedNanos = System.nanoTime();
            engine.timer().newTimeout(timeout -> stopWhenIdle(), IDLE_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Pools that are sold out and forgotten must not be watched for ever. */
    private synchronized void stopWhenIdle() {
        Tracking.Watch current = watch;
        if (current != null && System.nanoTime() - usedNanos > TimeUnit.SECONDS.toNanos(IDLE_SECONDS)) {
            watch = null;
            view = null;
            current.close();
        } else {
            engine.timer().newTimeout(timeout -> stopWhenIdle(), IDLE_SECONDS, TimeUnit.SECONDS);
        }
    }

    private CompletionStage<Set<String>> loadWinners() {
        Set<String> winners = new HashSet<>();
        return HashScan.scan(engine, keys.claims, (user, units) -> {
                    winners.add(user);
                    return winners.size() <= MAX_WINNERS;
                })
                .thenApply(complete -> winners);
    }
}
