// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.NavigableSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;

/** One walk over all keys of some masters, for the names of a primitive. Used once; thread-safe. */
public final class KeySearch {
    private static final int STEP = 1_000;

    private final Keys keys;
    private final String primitive;
    private final String part;
    private final int most;
    private final NavigableSet<String> found = new ConcurrentSkipListSet<>();

    /**
     * Has found nothing yet.
     *
     * @param keys builds key names
     * @param primitive which kind
     * @param part the part that each name has, or empty for the keys of the names themselves
     * @param most how many names are enough
     */
    public KeySearch(Keys keys, String primitive, String part, int most) {
        this.keys = keys;
        this.primitive = primitive;
        this.part = part;
        this.most = most;
    }

    /**
     * Walks over the keys of one master, until all are seen, enough names are found or the time is over.
     *
     * @param master the master
     * @param patienceMillis how long, in milliseconds
     * @return done at the end of the walk
     */
    public CompletionStage<Boolean> walk(StatefulRedisConnection<byte[], byte[]> master, long patienceMillis) {
        ScanArgs args = ScanArgs.Builder.limit(STEP).match(keys.pattern(primitive, part));
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
        return next(master, args, ScanCursor.INITIAL, end);
    }

    private CompletionStage<Boolean> next(
            StatefulRedisConnection<byte[], byte[]> master, ScanArgs args, ScanCursor cursor, long end) {
        return master.async().scan(cursor, args).thenCompose(page -> {
            page.getKeys().forEach(this::collect);
            boolean over = page.isFinished() || found.size() >= most || System.nanoTime() - end > 0;
            return over ? CompletableFuture.completedFuture(true) : next(master, args, page, end);
        });
    }

    private void collect(byte[] key) {
        if (found.size() < most) {
            keys.nameOf(primitive, part, key).ifPresent(found::add);
        }
    }

    /**
     * The names so far.
     *
     * @return in their order, not more than were asked for but for a few that came at the same time from several masters
     */
    public NavigableSet<String> found() {
        return found;
    }
}
