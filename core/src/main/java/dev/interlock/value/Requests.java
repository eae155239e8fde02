// SPDX-License-Identifier: Apache-2.0
package dev.interlock.value;

import dev.interlock.RequestConflictException;
import dev.interlock.internal.Names;
import dev.interlock.internal.Text;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** How requests are told apart and remembered; both scripts that swap do it the same way. */
final class Requests {
    static final int MEMORY_MINUTES = 10;
    static final int CAPACITY = 10_000;
    static final byte[] MEMORY_ARGUMENT =
            Text.bytes(Duration.ofMinutes(MEMORY_MINUTES).toMillis());
    static final byte[] CAPACITY_ARGUMENT = Text.bytes(CAPACITY);

    private static final byte[] NO_DIGEST = Text.bytes("-");
    private static final int DIGEST_BYTES = 16;

    private Requests() {}

    /** The id to send: the caller's, or for each call a new one. */
    static byte[] id(@Nullable String requestId) {
        return requestId == null ? Text.token() : Text.bytes(requestId);
    }

    /** What a request asks, for short; an id that Interlock made itself is never used for something else. */
    static byte[] digest(@Nullable String requestId, byte[]... asked) {
        if (requestId == null) {
            return NO_DIGEST;
        }
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (byte[] part : asked) {
                digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, part.length));
                digest.update(part);
            }
            return Text.bytes(HexFormat.of().formatHex(digest.digest(), 0, DIGEST_BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    static RequestConflictException conflict(@Nullable String requestId) {
        return new RequestConflictException(
                "request id " + Names.echo(String.valueOf(requestId))
                        + " was used before for another swap of this value; the first result is kept, give a new request a new id");
    }
}
