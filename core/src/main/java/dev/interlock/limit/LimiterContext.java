// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import dev.interlock.internal.Text;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What all calls of a limiter share.
 *
 * @param limiter its limits and options
 * @param scripts its scripts
 * @param denials denials that this JVM repeats
 * @param outage who answers when Redis does not
 * @param micros a clock in place of that of Redis, for tests; null for that of Redis
 */
record LimiterContext(
        LimiterSpec limiter,
        LimitScripts scripts,
        DenialCache denials,
        Outage outage,
        @Nullable LongSupplier micros) {
    private static final byte[] OF_REDIS = {};

    /** Arguments of a peek. */
    byte[][] peekArgs(long units) {
        return Stream.concat(Stream.of(time(), Text.bytes(units)), Stream.of(limiter.args))
                .toArray(byte[][]::new);
    }

    byte[] time() {
        return micros == null ? OF_REDIS : Text.bytes(micros.getAsLong());
    }
}
