// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.NotExecutedException;
import dev.interlock.internal.Engine;
import dev.interlock.internal.LuaScript;
import dev.interlock.internal.Replies;
import dev.interlock.internal.Text;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends holds whose deadline has passed, in steps that keep Redis busy for about a millisecond each. Whoever made a hold
 * sweeps when it ends; whatever would be refused for want of units has the pool swept first. So no node needs to live for a
 * hold to end. Thread-safe.
 */
final class Sweeper {
    /** Holds in one run of the script. */
    static final int STEP = 100;
    /** For how long the record of an ended hold is kept. */
    static final Duration MEMORY = Duration.ofHours(24);

    static final byte[] MEMORY_MICROS = Text.bytes(TimeUnit.MILLISECONDS.toMicros(MEMORY.toMillis()));
    /** A script's status: nothing was changed, sweep and ask again. */
    static final int SWEEP_FIRST = 5;

    private static final Logger log = LoggerFactory.getLogger(Sweeper.class);
    private static final LuaScript SWEEP = LuaScript.own(Sweeper.class, "sweep");
    private static final long RETRY_MICROS = TimeUnit.SECONDS.toMicros(1);
    private static final long LATE_MICROS = TimeUnit.MILLISECONDS.toMicros(2);

    private final Engine engine;
    private final byte[][] keys;
    private final Seen seen;
    private final AtomicLong dueNanos = new AtomicLong(Long.MAX_VALUE);

    Sweeper(Engine engine, PoolKeys keys, Seen seen) {
        this.engine = engine;
        this.keys = new byte[][] {
            keys.meta, keys.claims, keys.outbox, keys.holds, keys.deadlines, keys.log, keys.ended, keys.version
        };
        this.seen = seen;
        engine.scripts().prepare(SWEEP);
    }

    /** Sweeps one step; completes with the number of holds that ended. */
    CompletionStage<Integer> sweep(int max) {
        return engine.scripts().run(SWEEP, this::swept, keys, Text.bytes(max), MEMORY_MICROS);
    }

    private int swept(Replies reply) {
        if (reply.status() != 0) {
            return 0;
        }
        seen.see(reply.number(3), reply.number(4));
        if (reply.number(2) >= 0) {
            endsIn(reply.number(2));
        }
        return (int) reply.number(1);
    }

    /** Runs a script, as often as it asks to have the pool swept first, for no longer than one call may take. */
    CompletionStage<Replies> run(Supplier<CompletionStage<Replies>> script) {
        return run(
                script, System.nanoTime() + engine.settings().commandTimeout().toNanos());
    }

    private CompletionStage<Replies> run(Supplier<CompletionStage<Replies>> script, long untilNanos) {
        return script.get().thenCompose(reply -> {
            if (reply.status() != SWEEP_FIRST) {
                return CompletableFuture.completedStage(reply);
            }
            if (System.nanoTime() - untilNanos > 0) {
                throw new NotExecutedException(
                        "so many holds have expired that they could not all be ended within the time of this call;"
                                + " nothing was decided, ask again",
                        null);
            }
            return sweep(STEP).thenCompose(ended -> run(script, untilNanos));
        });
    }

    /** Has the pool swept when a hold ends. */
    void endsIn(long micros) {
        long delayNanos = TimeUnit.MICROSECONDS.toNanos(micros + LATE_MICROS);
        long due = System.nanoTime() + delayNanos;
        long before = dueNanos.get();
        if (before == Long.MAX_VALUE || due - before < 0) {
            if (dueNanos.compareAndSet(before, due)) {
                later(delayNanos, due);
            }
        }
    }

    private void later(long delayNanos, long due) {
        try {
            engine.timer().newTimeout(timeout -> sweepNow(due), delayNanos, TimeUnit.NANOSECONDS);
        } catch (IllegalStateException closed) {
            log.debug("this Interlock is closed; another one sweeps", closed);
        }
    }

    private void sweepNow(long due) {
        dueNanos.compareAndSet(due, Long.MAX_VALUE);
        sweepAll().whenComplete((done, error) -> {
            if (error != null) {
                log.debug("expired holds could not be ended; tried again", error);
                endsIn(RETRY_MICROS);
            }
        });
    }

    private CompletionStage<Integer> sweepAll() {
        try {
            return sweep(STEP);
        } catch (IllegalStateException closed) {
            return CompletableFuture.completedStage(0);
        }
    }
}
