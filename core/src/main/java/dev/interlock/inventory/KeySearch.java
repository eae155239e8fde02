// SPDX-License-Identifier: Apache-2.0
package dev.interlock.inventory;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.api.StatefulRedisConnection;
import java.nio.charset.StandardCharsets;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * One walk over all keys of some masters, for the names in keys of one shape.
 *
 * @param before what stands before the name
 * @param after what stands after it
 * @param most how many names are enough
 * @param found the names
 */
record KeySearch(String before, String after, int most, SortedSet<String> found) {
    private static final int STEP = 1_000;

    CompletionStage<Boolean> walk(StatefulRedisConnection<byte[], byte[]> master, long patienceMillis) {
        ScanArgs args = ScanArgs.Builder.limit(STEP).match(before + '*' + after);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
        return next(master, args, ScanCursor.INITIAL, end);
    }

    private CompletionStage<Boolean> next(
            StatefulRedisConnection<byte[], byte[]> master, ScanArgs args, ScanCursor cursor, long end) {
        return master.async().scan(cursor, args).thenCompose(page -> {
            collect(page);
            boolean over = page.isFinished() || found.size() >= most || System.nanoTime() - end > 0;
            return over ? CompletableFuture.completedFuture(true) : next(master, args, page, end);
        });
    }

    private void collect(KeyScanCursor<byte[]> page) {
        for (byte[] key : page.getKeys()) {
            String text = new String(key, StandardCharsets.UTF_8);
            if (found.size() < most) {
                found.add(decode(text.substring(before.length(), text.length() - after.length())));
            }
        }
    }

    /** Braces and percent signs of a name are escaped in its keys. */
    private static String decode(String encoded) {
        return encoded.replace("%7B", "{").replace("%7D", "}").replace("%25", "%");
    }
}
