// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import dev.interlock.CrossSlotException;
import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Cluster slots: CRC16 of the hash tag or of the whole key, as the Redis Cluster specification defines it. */
final class Slots {
    private static final int MAX_NAMED = 8;

    private Slots() {}

    /**
     * The slot that all keys share.
     *
     * @throws CrossSlotException if they do not
     */
    static int common(String operation, byte[][] keys) {
        int slot = SlotHash.getSlot(keys[0]);
        for (int i = 1; i < keys.length; i++) {
            if (SlotHash.getSlot(keys[i]) != slot) {
                throw new CrossSlotException(message(operation, keys));
            }
        }
        return slot;
    }

    private static String message(String operation, byte[][] keys) {
        StringBuilder out = new StringBuilder(operation).append(": the keys belong to different cluster slots:");
        List<String> texts = new ArrayList<>();
        for (byte[] key : keys) {
            String text = new String(key, StandardCharsets.UTF_8);
            texts.add(text);
            if (texts.size() <= MAX_NAMED) {
                out.append(' ')
                        .append(Names.echo(text))
                        .append(" (slot ")
                        .append(SlotHash.getSlot(key))
                        .append(')');
            }
        }
        String tag = sharedPart(texts);
        return out.append(
                        tag == null
                                ? "; give them one hash tag, for example {id} in every key"
                                : "; put the part they share into braces: " + Names.echo(suggest(texts.get(0), tag)))
                .toString();
    }

    private static String suggest(String key, String tag) {
        String plain = key.replace("{", "").replace("}", "");
        return plain.replace(tag, '{' + tag + '}');
    }

    /** The longest colon-separated part that every key has; the last such one if several are as long. */
    private static @Nullable String sharedPart(List<String> keys) {
        TreeSet<String> shared = null;
        for (String key : keys) {
            TreeSet<String> parts =
                    new TreeSet<>(List.of(key.replace("{", "").replace("}", "").split(":")));
            if (shared == null) {
                shared = parts;
            } else {
                shared.retainAll(parts);
            }
        }
        String best = null;
        String first = keys.get(0).replace("{", "").replace("}", "");
        for (String part : shared == null ? new TreeSet<String>() : shared) {
            // The kind of thing ("coupon") comes first and is shared by all; what identifies the one thing comes last.
            if (!part.isEmpty() && (best == null || first.indexOf(part) > first.indexOf(best))) {
                best = part;
            }
        }
        return best;
    }
}
