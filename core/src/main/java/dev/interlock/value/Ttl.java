// SPDX-License-Identifier: Apache-2.0
package dev.interlock.value;

import dev.interlock.internal.Bounds;
import dev.interlock.internal.Text;
import java.time.Duration;

/** What a successful swap does to the time that a value has left. Immutable. */
public final class Ttl {
    /** Leaves it as it is; a value that is created with it lives until it is deleted. */
    public static final Ttl KEEP = new Ttl("keep");
    /** The value lives until it is deleted. */
    public static final Ttl PERSIST = new Ttl("persist");

    private static final Duration MIN = Duration.ofMillis(1);

    private final String argument;

    private Ttl(String argument) {
        this.argument = argument;
    }

    /**
     * The value lives for this time from the swap on, by the clock of Redis.
     *
     * @param time 1 ms to 366 days, whole milliseconds
     * @return the setting
     * @throws IllegalArgumentException if it lies outside
     */
    public static Ttl of(Duration time) {
        return new Ttl(Long.toString(Bounds.millis("ttl", time, MIN, Bounds.MAX_TIME)));
    }

    byte[] argument() {
        return Text.bytes(argument);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Ttl ttl && ttl.argument.equals(argument);
    }

    @Override
    public int hashCode() {
        return argument.hashCode();
    }

    @Override
    public String toString() {
        return argument;
    }
}
