// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.internal.Names;
import dev.interlock.internal.Text;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The id of a hold, "shard-key-token". The key is made of user and request, so the same request finds its hold; the token is
 * random, so that nobody can guess the id of another user's hold.
 */
record HoldId(int shard, String key, String token) {
    private static final Pattern SHAPE = Pattern.compile("(\\d{1,4})-([0-9a-f]{32})-([0-9a-f]{16})");
    private static final int KEY_BYTES = 16;
    private static final int TOKEN_DIGITS = 16;

    /** A new hold of a user, with the key that the same request has every time. */
    static HoldId of(int shard, String userId, String requestId) {
        String token = new String(Text.token(), StandardCharsets.US_ASCII).substring(0, TOKEN_DIGITS);
        return new HoldId(shard, digest(userId + '\0' + requestId), token);
    }

    static HoldId parse(String text) {
        Matcher matcher = SHAPE.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("holdId must be an id that hold() gave but is " + Names.echo(text));
        }
        return new HoldId(Integer.parseInt(matcher.group(1)), matcher.group(2), matcher.group(3));
    }

    private static String digest(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(Text.bytes(text));
            return HexFormat.of().formatHex(Arrays.copyOf(hash, KEY_BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    HoldId withToken(String other) {
        return new HoldId(shard, key, other);
    }

    @Override
    public String toString() {
        return shard + "-" + key + '-' + token;
    }
}
