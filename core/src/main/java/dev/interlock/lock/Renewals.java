// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.Combiner;
import dev.interlock.internal.Engine;
import dev.interlock.internal.LuaScript;
import dev.interlock.internal.Text;
import io.lettuce.core.cluster.SlotHash;
import io.netty.util.Timeout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One tick for all holds of an Interlock, running only while there are any. A hold younger than two ticks costs nothing but
 * its place in a queue, so that short work pays neither for renewal nor for watching.
 *
 * <pre>
 *  YOUNG ── 40 ms old and still held ──▶ KEPT: watched, in the order of the next renewal or end
 *  KEPT  ── a third of its lease is over ──▶ renewed, in one call with all others that are due (of one slot in a cluster)
 *  KEPT  ── time over ──▶ lost
 * </pre>
 */
final class Renewals {
    private static final Logger log = LoggerFactory.getLogger(Renewals.class);
    private static final long TICK_MILLIS = 20;
    private static final long YOUNG_NANOS = TimeUnit.MILLISECONDS.toNanos(40);
    /** Shorter leases may be due before they are two ticks old. */
    private static final long SHORT_LEASE_MILLIS = 1_000;
    /** A script call of this size runs less than half a millisecond. */
    private static final int MAX_BATCH = 256;

    private final Engine engine;
    private final Queue<Young> young = new ConcurrentLinkedQueue<>();
    private final PriorityQueue<Kept> kept = new PriorityQueue<>(Comparator.comparingLong(Kept::order));
    private final long startNanos = System.nanoTime();
    /** By the name of their script: extensions that come while others are under way share calls. */
    private final Map<String, Combiner<Extension, Long>> extensions = new ConcurrentHashMap<>();

    private final AtomicBoolean ticking = new AtomicBoolean();
    private volatile boolean closed;

    Renewals(Engine engine) {
        this.engine = engine;
    }

    /** A hold to prolong, and by how much from now. */
    private record Extension(Hold hold, long millis) {}

    private record Young(Hold hold, long sinceNanos) {}

    /** The order is fixed when it is queued, relative to the start, so that it compares as plain numbers do. */
    private record Kept(Hold hold, long order) {}

    /** Cares for a hold until it ends. */
    void add(Hold hold) {
        if (hold.leaseMillis() < SHORT_LEASE_MILLIS) {
            keep(hold);
        } else {
            young.add(new Young(hold, System.nanoTime()));
        }
        start();
    }

    private void keep(Hold hold) {
        hold.watch(engine.tracking());
        queue(hold);
    }

    private void queue(Hold hold) {
        synchronized (kept) {
            kept.add(new Kept(hold, hold.dueNanos() - startNanos));
        }
    }

    private void start() {
        if (!closed && ticking.compareAndSet(false, true)) {
            engine.timer().newTimeout(this::tick, TICK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void tick(Timeout timeout) {
        try {
            long now = System.nanoTime();
            keepGrown(now);
            renew(due(now));
        } catch (RuntimeException e) {
            log.error("a tick of the lease renewal failed; the next one goes on", e);
        }
        ticking.set(false);
        boolean work;
        synchronized (kept) {
            work = !kept.isEmpty() || !young.isEmpty();
        }
        if (work) {
            start();
        }
    }

    private void keepGrown(long now) {
        for (Young next = young.peek(); next != null && now - next.sinceNanos >= YOUNG_NANOS; next = young.peek()) {
            young.poll();
            if (next.hold.held()) {
                keep(next.hold);
            }
        }
    }

    private List<Hold> due(long now) {
        List<Hold> due = new ArrayList<>();
        synchronized (kept) {
            for (Kept next = kept.peek(); next != null && next.order <= now - startNanos; next = kept.peek()) {
                kept.poll();
                if (next.hold.held()) {
                    due.add(next.hold);
                }
            }
        }
        return due;
    }

    private void renew(List<Hold> due) {
        long now = System.nanoTime();
        Map<Object, List<Hold>> batches = new HashMap<>();
        for (Hold hold : due) {
            hold.loseIfOver(now);
            if (hold.renewalDue(now) && hold.beginRenewal()) {
                LuaScript script = hold.keeper.renewal();
                int slot = engine.cluster() ? SlotHash.getSlot(hold.keys[0]) : 0;
                batches.computeIfAbsent(Map.entry(script.name(), slot), key -> new ArrayList<>())
                        .add(hold);
            } else if (hold.held()) {
                queue(hold);
            }
        }
        for (List<Hold> batch : batches.values()) {
            for (int from = 0; from < batch.size(); from += MAX_BATCH) {
                send(batch.subList(from, Math.min(from + MAX_BATCH, batch.size())));
            }
        }
    }

    private void send(List<Hold> batch) {
        long sent = System.nanoTime();
        List<Extension> extensions = batch.stream()
                .map(hold -> new Extension(hold, hold.leaseMillis()))
                .toList();
        call(extensions).whenComplete((codes, error) -> {
            for (int i = 0; i < batch.size(); i++) {
                Hold hold = batch.get(i);
                answered(hold, error == null ? codes.get(i) : null, new Hold.Terms(sent, hold.leaseMillis(), true));
                if (hold.held()) {
                    queue(hold);
                }
            }
            start();
        });
    }

    private void answered(Hold hold, @Nullable Long code, Hold.Terms terms) {
        try {
            String outcome = code == null ? "failed" : code == 1 || code == 2 ? "renewed" : "lost";
            engine.telling().ended(hold.keeper.kind().renew, outcome, 0);
            if (code == null) {
                hold.endRenewal(null, false);
            } else if (code == 1 || code == 2) {
                hold.endRenewal(terms, false);
                hold.keeper.renewed(hold, code == 2);
            } else {
                hold.endRenewal(null, true);
            }
        } catch (RuntimeException e) {
            log.error("the renewal of {} failed", hold.what(), e);
        }
    }

    private CompletableFuture<List<Long>> call(List<Extension> batch) {
        LuaScript script = batch.get(0).hold.keeper.renewal();
        List<byte[]> keys = new ArrayList<>();
        List<byte[]> args = new ArrayList<>();
        for (Extension extension : batch) {
            keys.addAll(List.of(extension.hold.keys));
            args.add(Text.bytes(extension.hold.token));
            args.add(Text.bytes(extension.millis));
        }
        return engine.scripts()
                .run(script, keys.toArray(byte[][]::new), args.toArray(byte[][]::new))
                .thenApply(reply -> {
                    List<Long> codes = new ArrayList<>(batch.size());
                    for (Object code : (List<?>) Objects.requireNonNull(reply)) {
                        codes.add((Long) code);
                    }
                    return codes;
                });
    }

    private Combiner<Extension, Long> combiner(String script) {
        return new Combiner<>(2, MAX_BATCH, engine.settings().maxPending(), this::call);
    }

    /** Prolongs one hold now, after a renewal that is under way; false if it is not ours any more. */
    CompletableFuture<Boolean> extend(Hold hold, long millis) {
        if (!hold.beginRenewal()) {
            return hold.held()
                    ? hold.renewal().thenCompose(done -> extend(hold, millis))
                    : CompletableFuture.completedFuture(false);
        }
        long sent = System.nanoTime();
        Extension extension = new Extension(hold, millis);
        CompletableFuture<Long> code = engine.cluster()
                ? call(List.of(extension)).thenApply(codes -> codes.get(0))
                : extensions
                        .computeIfAbsent(hold.keeper.renewal().name(), this::combiner)
                        .submit(extension);
        return code.handle((answer, error) -> {
            answered(hold, answer, new Hold.Terms(sent, millis, true));
            if (error != null) {
                throw new CompletionException(error);
            }
            return hold.held();
        });
    }

    /** Ends the care for all holds; they are lost to their holders now, and lapse at Redis. */
    void close() {
        closed = true;
        List<Hold> all = new ArrayList<>();
        young.forEach(next -> all.add(next.hold));
        synchronized (kept) {
            kept.forEach(next -> all.add(next.hold));
        }
        all.forEach(hold -> hold.lose("its Interlock was closed"));
    }
}
