// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Map;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A line that a node process prints: first that it is ready (progress 0), then its progress, in the end its report or why it
 * failed.
 *
 * @param progress requests handed in so far
 * @param report what its clients were told, in the last line
 * @param error why there is no report, in the last line
 */
record NodeLine(
        long progress, @Nullable Report report, @Nullable String error) {
    static final JsonMapper JSON = new JsonMapper();

    /**
     * An {@link Outcome} on its way from one process to another.
     *
     * @param counts answers of each kind
     * @param latency compressed histogram of nanoseconds, in Base64
     * @param claims encoded {@link Claims}, in Base64
     * @param elapsedNanos from the first request to the last answer
     * @param lastIssuedMillis when a unit was last issued, or 0
     */
    record Report(Map<Answer, Long> counts, String latency, String claims, long elapsedNanos, long lastIssuedMillis) {
        static Report of(Outcome outcome) {
            Histogram nanos = outcome.tally().nanos();
            ByteBuffer buffer = ByteBuffer.allocate(nanos.getNeededByteBufferCapacity());
            byte[] encoded = new byte[nanos.encodeIntoCompressedByteBuffer(buffer)];
            buffer.rewind().get(encoded);
            return new Report(
                    outcome.tally().counts(),
                    Base64.getEncoder().encodeToString(encoded),
                    Base64.getEncoder().encodeToString(outcome.claims().encode()),
                    outcome.elapsedNanos(),
                    outcome.lastIssuedMillis());
        }

        Outcome outcome(int coupons) {
            Claims promised = new Claims(coupons);
            promised.addEncoded(Base64.getDecoder().decode(claims));
            try {
                ByteBuffer encoded = ByteBuffer.wrap(Base64.getDecoder().decode(latency));
                Histogram nanos = Histogram.decodeFromCompressedByteBuffer(encoded, 0);
                return new Outcome(new Tally(nanos, counts), promised, elapsedNanos, lastIssuedMillis);
            } catch (DataFormatException e) {
                throw new IllegalStateException("the latencies of a node are damaged", e);
            }
        }
    }
}
