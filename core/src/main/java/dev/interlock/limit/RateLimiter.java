// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import dev.interlock.internal.Engine;
import dev.interlock.internal.LuaScript;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import reactor.core.publisher.Mono;

/**
 * Limits how much each user, tenant or address may do in a time, over all machines. A limiter has one or several
 * {@linkplain Limit limits}; a request takes its units from all of them or from none.
 *
 * <p>Guarantees: the bound of each limit holds over all JVMs, by the clock of Redis alone; a denial changes nothing and
 * extends nothing (but the first call after limits were changed or the clock of Redis was set back converts what is
 * stored); a request whose reply was lost takes at most once; a user who does nothing leaves nothing behind. Limits are
 * found again by algorithm and place, so changed numbers take effect at once and keep what was used. Does not guarantee
 * the bounds beyond the loss of Redis' memory, nor under {@link RateLimiterOptions.Outage#FAIL_OPEN} while Redis is away.
 *
 * <p>Thread-safe; nothing to close; keep and share it. Concurrent calls share script calls. A call never throws because
 * Redis is away: after the deadline, or at once if that is known, the {@linkplain RateLimiterOptions#outage() outage
 * policy} answers. Cost: one script call, O(1) a request for GCRA and fixed windows, O(buckets) for counters, O(log n) for
 * logs; none for a denial that this JVM knows of. All methods with a key throw {@link IllegalArgumentException} before
 * anything is sent if it breaks a rule: 1 to 512 bytes of UTF-8. {@link dev.interlock.CorruptStateException} means that a
 * key of the user holds another type; nothing was changed.
 */
public interface RateLimiter {
    /**
     * Takes one unit if every limit has one.
     *
     * @param key whose limits: a user, a tenant, an address
     * @return the decision
     */
    Decision tryAcquire(String key);

    /**
     * Takes several units if every limit has as many.
     *
     * @param key whose limits
     * @param weight units, 1 to 10^12; more than a limit can ever give is denied with {@link Decision#NEVER}
     * @return the decision
     * @throws IllegalArgumentException before anything is sent, if the weight lies outside
     */
    Decision tryAcquire(String key, long weight);

    /**
     * Takes one unit, waiting for it if need be. The moment is reserved in Redis by the one call that decides, so waiters go
     * on in the order of their calls over all JVMs, and who cannot be in time is denied at once. Cancelled or interrupted
     * while it waits, it gives the unit back.
     *
     * @param key whose limits
     * @param maxWait longest wait, 0 to 24 h
     * @return the decision, returned when the wait is over
     * @throws IllegalArgumentException before anything is sent, if the wait lies outside
     * @throws dev.interlock.OutcomeUnknownException if the thread is interrupted; its flag is set again
     */
    Decision acquire(String key, Duration maxWait);

    /**
     * Judges a request without taking anything.
     *
     * @param key whose limits
     * @param weight units, 1 to 10^12
     * @return what {@code tryAcquire} would decide now; it takes no refund
     * @throws IllegalArgumentException before anything is sent, if the weight lies outside
     */
    Decision peek(String key, long weight);

    /**
     * Gives back what an allowed request took, once however often it is called, and never above the limit. Sliding logs and
     * counters give back exactly while the request lies in the window, fixed windows while theirs lasts, and GCRA within
     * one full refill, as if the units had come back now.
     *
     * @param decision of this limiter, from Redis
     * @return true if it was given back; false if there was nothing to give back, or that was done before
     * @throws IllegalArgumentException before anything is sent, if the decision is of another limiter
     * @throws dev.interlock.NotExecutedException if Redis is away: surely nothing happened
     * @throws dev.interlock.OutcomeUnknownException if the reply is missing; it may be called again
     */
    boolean refund(Decision decision);

    /**
     * Forgets all that a user has used, with the waits that were granted.
     *
     * @param key whose limits
     * @throws dev.interlock.NotExecutedException if Redis is away: surely nothing happened
     * @throws dev.interlock.OutcomeUnknownException if the reply is missing
     */
    void reset(String key);

    /**
     * The same operations without waiting for Redis.
     *
     * @return the asynchronous view
     */
    Async async();

    /**
     * The same operations for Reactor; nothing is sent before subscription.
     *
     * @return the reactive view
     */
    Reactive reactive();

    /**
     * Made by {@link dev.interlock.Interlock#rateLimiter(String, Limit...)}.
     *
     * @param engine runtime resources
     * @param name name of the limiter
     * @param options behaviour
     * @param limits 1 to 8
     * @return the limiter
     * @throws IllegalArgumentException if the name breaks a rule, or there are too few or many limits
     */
    static RateLimiter create(Engine engine, String name, RateLimiterOptions options, Limit... limits) {
        LimiterSpec spec = new LimiterSpec(engine.keys(), name, options, limits);
        return engine.shared(BlockingRateLimiter.class, spec.identity(), () -> {
            DenialCache denials = engine.shared(DenialCache.class, name, () -> new DenialCache(System::nanoTime));
            return new BlockingRateLimiter(LimiterCalls.create(engine, spec, denials, null));
        });
    }

    /**
     * Every script that some limiter may need, for {@link dev.interlock.Interlock#functions()}.
     *
     * @return one of each kind for every set of algorithms
     */
    static List<LuaScript> scripts() {
        return LimitScripts.all();
    }

    /** As {@link RateLimiter}; stages complete on I/O or timer threads, so what depends on them must not block. */
    interface Async {
        /** As {@link RateLimiter#tryAcquire(String)}. */
        CompletionStage<Decision> tryAcquire(String key);

        /** As {@link RateLimiter#tryAcquire(String, long)}. */
        CompletionStage<Decision> tryAcquire(String key, long weight);

        /** As {@link RateLimiter#acquire(String, Duration)}. */
        CompletionStage<Decision> acquire(String key, Duration maxWait);

        /** As {@link RateLimiter#peek(String, long)}. */
        CompletionStage<Decision> peek(String key, long weight);

        /** As {@link RateLimiter#refund(Decision)}. */
        CompletionStage<Boolean> refund(Decision decision);

        /** As {@link RateLimiter#reset(String)}. */
        CompletionStage<Void> reset(String key);
    }

    /** As {@link RateLimiter}; each subscription is one call. */
    interface Reactive {
        /** As {@link RateLimiter#tryAcquire(String)}. */
        Mono<Decision> tryAcquire(String key);

        /** As {@link RateLimiter#tryAcquire(String, long)}. */
        Mono<Decision> tryAcquire(String key, long weight);

        /** As {@link RateLimiter#acquire(String, Duration)}. */
        Mono<Decision> acquire(String key, Duration maxWait);

        /** As {@link RateLimiter#peek(String, long)}. */
        Mono<Decision> peek(String key, long weight);

        /** As {@link RateLimiter#refund(Decision)}. */
        Mono<Boolean> refund(Decision decision);

        /** As {@link RateLimiter#reset(String)}. */
        Mono<Void> reset(String key);
    }
}
