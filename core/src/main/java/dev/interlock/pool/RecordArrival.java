// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.internal.Engine;
import dev.interlock.internal.Tracking;
import dev.interlock.pool.Durability.Level;
import dev.interlock.pool.DurableCalls.Reached;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Knows what a recorder has taken over: it trims the outbox after its commit, and the script that trims writes down up to
 * which event. The key is watched; as a push may be lost it is read every now and then as well, while somebody waits.
 */
final class RecordArrival implements DurableCalls.Arrival {
    private static final long POLL_MILLIS = 50;
    private static final Reached RECORDED = new Reached(Level.RECORDED, 0);

    private final Engine engine;
    private final byte[] key;
    private final long patienceMillis;
    private final AtomicLong numbers = new AtomicLong();
    private final ConcurrentSkipListMap<Waiting, CompletableFuture<Reached>> waiting = new ConcurrentSkipListMap<>();
    private volatile Seen.Event recorded = Seen.Event.NONE;
    private Tracking.@Nullable Watch watch;
    private boolean polling;

    RecordArrival(Engine engine, PoolKeys keys, Durability wanted) {
        this.engine = engine;
        this.key = keys.recorded;
        this.patienceMillis = wanted.patience().toMillis();
    }

    /** One who waits, in the order of the events. */
    private record Waiting(Seen.Event event, long number) implements Comparable<Waiting> {
        @Override
        public int compareTo(Waiting other) {
            int byEpoch = Long.compare(event.epoch(), other.event.epoch());
            int bySequence = byEpoch != 0 ? byEpoch : Long.compare(event.sequence(), other.event.sequence());
            return bySequence != 0 ? bySequence : Long.compare(number, other.number);
        }
    }

    @Override
    public CompletionStage<Reached> of(Seen.Event event) {
        if (covers(recorded, event)) {
            return CompletableFuture.completedStage(RECORDED);
        }
        Waiting me = new Waiting(event, numbers.incrementAndGet());
        CompletableFuture<Reached> answer = new CompletableFuture<>();
        waiting.put(me, answer);
        startReading();
        tell(recorded); // it may have been recorded between the two
        return answer.completeOnTimeout(Reached.MEMORY, patienceMillis, TimeUnit.MILLISECONDS)
                .whenComplete((reached, error) -> waiting.remove(me));
    }

    /** What was recorded in an epoch says nothing about another one. */
    private static boolean covers(Seen.Event recorded, Seen.Event event) {
        return recorded.epoch() == event.epoch() && recorded.sequence() >= event.sequence();
    }

    private synchronized void startReading() {
        if (watch == null) {
            watch = engine.tracking().watch(key, () -> {}, this::read);
        }
        if (!polling) {
            polling = true;
            later();
        }
    }

    private void later() {
        try {
            engine.timer().newTimeout(timeout -> poll(), POLL_MILLIS, TimeUnit.MILLISECONDS);
        } catch (IllegalStateException closed) {
            waiting.values().forEach(answer -> answer.complete(Reached.MEMORY));
        }
    }

    private synchronized void poll() {
        if (waiting.isEmpty()) {
            polling = false;
            return;
        }
        engine.connection(key).thenCompose(node -> node.async().get(key)).whenComplete((value, error) -> {
            read(value);
            later();
        });
    }

    /** "epoch SPACE sequence" of the latest event that is recorded. */
    private void read(byte @Nullable [] value) {
        if (value != null) {
            String[] parts = new String(value, StandardCharsets.US_ASCII).split(" ", 2);
            recorded = recorded.later(new Seen.Event(Long.parseLong(parts[0]), Long.parseLong(parts[1])));
            tell(recorded);
        }
    }

    private void tell(Seen.Event upTo) {
        waiting.headMap(new Waiting(upTo, Long.MAX_VALUE), true).forEach((who, answer) -> {
            if (covers(upTo, who.event())) {
                answer.complete(RECORDED);
            }
        });
    }
}
