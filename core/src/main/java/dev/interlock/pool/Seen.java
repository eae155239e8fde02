// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.CorruptStateException;
import dev.interlock.internal.Names;
import dev.interlock.internal.Replies;
import dev.interlock.internal.Text;
import dev.interlock.pool.Restoration.Point;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The latest event of one pool that this JVM knows of. Every script that changes the pool is told, so a Redis that lost
 * what it had acknowledged is found out by the next call. Thread-safe.
 */
final class Seen {
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final String pool;
    private final List<Runnable> restorers = new CopyOnWriteArrayList<>();
    private volatile Point latest = Point.NOTHING;
    /** The end of the epoch before, for the count of what was lost with it. */
    private Point before = Point.NOTHING;

    Seen(String pool) {
        this.pool = pool;
    }

    Point latest() {
        return latest;
    }

    /** Almost every answer of a busy pool is a little newer than the last, so the lock is short. */
    void see(long epoch, long sequence) {
        Point point = new Point(epoch, sequence);
        synchronized (this) {
            if (point.epoch() == before.epoch() && point.isAfter(before)) {
                before = point;
            }
            if (point.isAfter(latest)) {
                before = point.epoch() == latest.epoch() ? before : latest;
                latest = point;
            }
        }
    }

    /** The latest event of one epoch, if it is the latest epoch or the one before. */
    synchronized Optional<Point> in(long epoch) {
        if (latest.epoch() == epoch) {
            return Optional.of(latest);
        }
        return before.epoch() == epoch ? Optional.of(before) : Optional.empty();
    }

    /** The arguments of a script: epoch and sequence, then the rest. */
    byte[][] args(byte[]... rest) {
        Point event = latest();
        byte[][] args = new byte[2 + rest.length][];
        args[0] = Text.bytes(event.epoch());
        args[1] = Text.bytes(event.sequence());
        System.arraycopy(rest, 0, args, 2, rest.length);
        return args;
    }

    void watch(Runnable restorer) {
        restorers.add(restorer);
    }

    void unwatch(Runnable restorer) {
        restorers.remove(restorer);
    }

    /** Calls those who can bring the pool back. */
    void alert() {
        restorers.forEach(Runnable::run);
    }

    /** Whether the answer "no pool, dropped in this epoch or 0" means a loss: this JVM has met the pool in a later one. */
    boolean isLost(Replies reply) {
        return latest.epoch() > reply.number(1);
    }

    /** A script answered "no pool", which only changes the answer if the pool was not dropped; somebody looks. */
    void missing() {
        if (latest.epoch() > 0) {
            alert();
        }
    }

    /** The pool was dropped. */
    synchronized void forget() {
        latest = Point.NOTHING;
        before = Point.NOTHING;
    }

    /**
     * A script answered "went back in time", or that there is no pool although this JVM knows it.
     *
     * @return when to ask again, as somebody brings the pool back
     * @throws CorruptStateException if there is nobody
     */
    Duration retryAfter(Replies reply) {
        alert();
        if (restorers.isEmpty()) {
            throw wentBack(reply);
        }
        return RETRY;
    }

    /** What to throw when a script answers that an earlier event is its latest, or that there is no pool any more. */
    CorruptStateException wentBack(Replies reply) {
        alert();
        String found = reply.size() > 2
                ? "Redis answers epoch " + reply.number(1) + ", sequence " + reply.number(2)
                : "it is gone from Redis";
        return new CorruptStateException(
                "pool " + Names.echo(pool) + " went back in time: " + found + " but had acknowledged " + latest()
                        + "; nothing was changed, "
                        + (restorers.isEmpty() ? "rebuild the pool from its records" : "it is being rebuilt"),
                null);
    }

    /** What to throw when a script answers that it cannot read the pool's numbers. */
    CorruptStateException unreadable() {
        return new CorruptStateException(
                "pool " + Names.echo(pool) + ": its state in Redis is not made of whole numbers; nothing was changed",
                null);
    }
}
