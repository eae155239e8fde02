// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import dev.interlock.internal.Engine;
import dev.interlock.limit.Decision.Origin;
import dev.interlock.limit.Decision.Verdict;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Who answers while Redis does not.
 *
 * <pre>
 *  NEAR ── a call fails or passes the deadline ──▶ AWAY, everything that waits is answered by the policy
 *  AWAY ── a request comes, 50 ms after the last probe ──▶ it goes to Redis as a probe; all others: the policy, at once
 *  AWAY ── a call is answered ──▶ NEAR
 * </pre>
 */
final class Outage {
    private static final long PROBE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long NEAR = 0;

    private final Engine engine;
    private final LimiterSpec limiter;
    private final LocalShare share;
    private final AtomicInteger lanesAway = new AtomicInteger();

    Outage(Engine engine, LimiterSpec limiter) {
        this.engine = engine;
        this.limiter = limiter;
        this.share = new LocalShare(limiter.limits, limiter.options.expectedNodes());
    }

    /** The state towards one node of Redis. */
    final class Node {
        /** When the next probe may go, or {@link #NEAR}. */
        private final AtomicLong probeNanos = new AtomicLong(NEAR);

        /** Whether the policy answers now; if not while away, the caller is the probe. */
        boolean answers() {
            long due = probeNanos.get();
            if (due == NEAR) {
                return false;
            }
            long now = System.nanoTime();
            return now - due < 0 || !probeNanos.compareAndSet(due, notNear(now + PROBE_NANOS));
        }

        void failed() {
            if (probeNanos.getAndSet(notNear(System.nanoTime())) == NEAR && lanesAway.getAndIncrement() == 0) {
                engine.listener().limiterAway(limiter.name);
            }
        }

        void answered() {
            if (probeNanos.get() != NEAR && probeNanos.getAndSet(NEAR) != NEAR && lanesAway.decrementAndGet() == 0) {
                share.forget();
                engine.listener().limiterBack(limiter.name);
            }
        }

        private long notNear(long nanos) {
            return nanos == NEAR ? 1 : nanos;
        }
    }

    Decision decide(Request request) {
        boolean allowed = switch (limiter.options.outage()) {
            case FAIL_OPEN -> true;
            case FAIL_CLOSED -> false;
            case LOCAL -> share.take(request.key(), request.units(), System.nanoTime());
        };
        long retry = allowed ? 0 : TimeUnit.NANOSECONDS.toMicros(PROBE_NANOS);
        Verdict verdict = new Verdict(allowed, 0, retry, retry, 0);
        List<Limit> violated = allowed ? List.of() : limiter.limits;
        return new Decision(verdict, limiter.limits.get(0), violated, Origin.OUTAGE_POLICY, null);
    }
}
