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
 *  NEAR ── a call fails or passes the deadline ──▶ AWAY: what waits, and all that comes, is answered by the policy
 *  AWAY ── a request comes 50 ms after the last probe ended ──▶ a peek goes to Redis as a probe; nobody waits for it
 *  AWAY ── a call or a probe is answered ──▶ NEAR
 * </pre>
 */
final class Outage {
    private static final long PROBE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long NEAR = 0;
    private static final long LEFT = 1;

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
        /** When the next probe may go, or {@link #NEAR} or {@link #LEFT}. */
        private final AtomicLong probeNanos = new AtomicLong(NEAR);

        boolean isAway() {
            return isTime(probeNanos.get());
        }

        /** Ends this state, unless the node is away: a late failure counts no longer, for no probe would take it back. */
        boolean leave() {
            return probeNanos.compareAndSet(NEAR, LEFT);
        }

        /** Whether the caller is to send a probe; no other is under way then. */
        boolean probeIsDue() {
            long due = probeNanos.get();
            long now = System.nanoTime();
            long deadline = limiter.options.deadline().toNanos();
            return isTime(due) && now - due >= 0 && probeNanos.compareAndSet(due, time(now + deadline + PROBE_NANOS));
        }

        void failed() {
            long now = time(System.nanoTime());
            if (probeNanos.getAndUpdate(state -> state == LEFT ? LEFT : now) == NEAR
                    && lanesAway.getAndIncrement() == 0) {
                engine.listener().limiterAway(limiter.name);
            }
        }

        void answered() {
            if (isAway()
                    && isTime(probeNanos.getAndUpdate(state -> state == LEFT ? LEFT : NEAR))
                    && lanesAway.decrementAndGet() == 0) {
                share.forget();
                engine.listener().limiterBack(limiter.name);
            }
        }

        private boolean isTime(long state) {
            return state != NEAR && state != LEFT;
        }

        private long time(long nanos) {
            return isTime(nanos) ? nanos : LEFT + 1;
        }
    }

    /** Whether any node of Redis is away. */
    boolean isAway() {
        return lanesAway.get() > 0;
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
