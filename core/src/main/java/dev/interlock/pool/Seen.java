// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.CorruptStateException;
import dev.interlock.internal.Names;
import dev.interlock.internal.Replies;
import dev.interlock.internal.Text;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The latest event of one pool that this JVM knows of. Every script that changes the pool is told, so a Redis that lost
 * what it had acknowledged is found out by the next call. Thread-safe.
 */
final class Seen {
    private final String pool;
    private final AtomicReference<Event> latest = new AtomicReference<>(Event.NONE);

    Seen(String pool) {
        this.pool = pool;
    }

    /** One event. */
    record Event(long epoch, long sequence) {
        static final Event NONE = new Event(0, 0);

        Event later(Event other) {
            boolean later = other.epoch > epoch || (other.epoch == epoch && other.sequence > sequence);
            return later ? other : this;
        }
    }

    Event latest() {
        return Objects.requireNonNullElse(latest.get(), Event.NONE);
    }

    void see(long epoch, long sequence) {
        latest.accumulateAndGet(new Event(epoch, sequence), Event::later);
    }

    /** The arguments of a script: epoch and sequence, then the rest. */
    byte[][] args(byte[]... rest) {
        Event event = latest();
        byte[][] args = new byte[2 + rest.length][];
        args[0] = Text.bytes(event.epoch());
        args[1] = Text.bytes(event.sequence());
        System.arraycopy(rest, 0, args, 2, rest.length);
        return args;
    }

    /** What to throw when a script answers that an earlier event is its latest. */
    CorruptStateException wentBack(Replies reply) {
        return new CorruptStateException(
                "pool " + Names.echo(pool) + " went back in time: Redis answers epoch " + reply.number(1)
                        + ", sequence "
                        + reply.number(2) + " but had acknowledged " + latest()
                        + "; nothing was changed, rebuild the pool from its records",
                null);
    }

    /** What to throw when a script answers that it cannot read the pool's numbers. */
    CorruptStateException unreadable() {
        return new CorruptStateException(
                "pool " + Names.echo(pool) + ": its state in Redis is not made of whole numbers; nothing was changed",
                null);
    }
}
