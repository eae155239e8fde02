// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Denials that this JVM may repeat without Redis, shared by all limiters of one name. A denial holds until its retry-after,
 * counted from before the call that brought it was sent, so it ends here before it ends in Redis; for at most one second;
 * and for the same limits and the same number of units only. Whoever takes more meanwhile can but prolong it; a refund, a
 * reset or other limits by this JVM drop it. Bounded; thread-safe.
 */
final class DenialCache {
    private static final long MAX_MICROS = TimeUnit.SECONDS.toMicros(1);
    /** The clock of Redis may be slewed; a thousandth is twice what NTP ever does. */
    private static final int SLEW_SHIFT = 10;

    private final ConcurrentMap<String, Entry> entries = new ConcurrentHashMap<>();
    private final AtomicLong drops = new AtomicLong();
    private final LongSupplier nanos;

    DenialCache(LongSupplier nanos) {
        this.nanos = nanos;
    }

    private record Entry(LimiterSpec limiter, long units, long endNanos, long sinceNanos, Decision denial) {
        boolean fits(LimiterSpec asked, Request request, long now) {
            return limiter == asked && units == request.units() && endNanos - now > request.patienceMicros() * 1000;
        }
    }

    /** When a call is sent: what its denials are then remembered with. */
    record Mark(long sentNanos, long drops) {}

    Mark mark() {
        return new Mark(nanos.getAsLong(), drops.get());
    }

    long now() {
        return nanos.getAsLong();
    }

    /** A denial for the request, if Redis would surely deny it. */
    @Nullable
    Decision find(LimiterSpec limiter, Request request) {
        Entry entry = entries.get(request.key());
        if (entry == null || !entry.fits(limiter, request, request.startNanos())) {
            return null;
        }
        long elapsed = Math.max(0, (request.startNanos() - entry.sinceNanos) / 1000);
        return entry.denial.again(Math.max(1, entry.denial.verdict().retryMicros() - elapsed), elapsed);
    }

    /** Remembers a denial that was decided after the mark. */
    void put(LimiterSpec limiter, Request request, Decision denial, Mark mark) {
        long retry = denial.verdict().retryMicros();
        if (retry <= 0 || limiter.options.denialCacheSize() == 0 || !hasRoom(limiter, request.key())) {
            return;
        }
        long holds = Math.min(retry - (retry >> SLEW_SHIFT), MAX_MICROS);
        Entry entry = new Entry(limiter, request.units(), mark.sentNanos + holds * 1000, nanos.getAsLong(), denial);
        entries.put(request.key(), entry);
        if (drops.get() != mark.drops) {
            entries.remove(request.key(), entry);
        }
    }

    private boolean hasRoom(LimiterSpec limiter, String key) {
        int max = limiter.options.denialCacheSize();
        if (entries.size() >= max && !entries.containsKey(key)) {
            long now = nanos.getAsLong();
            entries.values().removeIf(entry -> entry.endNanos - now <= 0);
            return entries.size() < max;
        }
        return true;
    }

    /** Forgets a user, and whatever is under way. */
    void drop(String key) {
        drops.incrementAndGet();
        entries.remove(key);
    }

    int size() {
        return entries.size();
    }
}
