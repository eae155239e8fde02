// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who owns a lock, as the record beside it says. A diagnosis, out of date when it arrives: never decide by it.
 *
 * @param application what the owner's Interlock calls itself, empty if nothing
 * @param host the owner's host name, empty if unknown
 * @param pid the owner's process id, 0 if unknown
 * @param since when it was granted, by the clock of Redis; empty if another program wrote the lock
 * @param fence fence of the grant; a later holder in the same JVM has a larger one; 0 if another program wrote the lock
 * @param remaining time until it lapses unless it is renewed; empty if it never does, which Interlock never writes
 * @param waiting how many JVMs wait for it
 */
public record LockOwner(
        String application,
        String host,
        long pid,
        Optional<Instant> since,
        long fence,
        Optional<Duration> remaining,
        long waiting) {

    private static final int FIELDS = 7;

    /** Reads "token TAB fence TAB since TAB channel TAB application TAB host TAB pid". */
    static LockOwner parse(String value, long remainingMillis, long waiting) {
        String[] fields = value.split("\t", -1);
        Optional<Duration> remaining =
                remainingMillis < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(remainingMillis));
        Long fence = fields.length == FIELDS ? number(fields[1]) : null;
        Long since = fields.length == FIELDS ? number(fields[2]) : null;
        Long pid = fields.length == FIELDS ? number(fields[6]) : null;
        if (fence == null || since == null || pid == null) {
            return new LockOwner("", "", 0, Optional.empty(), 0, remaining, waiting);
        }
        Instant instant = Instant.ofEpochSecond(since / 1_000_000, since % 1_000_000 * 1_000);
        return new LockOwner(fields[4], fields[5], pid, Optional.of(instant), fence, remaining, waiting);
    }

    private static @Nullable Long number(String digits) {
        return digits.matches("\\d{1,18}") ? Long.valueOf(digits) : null;
    }
}
