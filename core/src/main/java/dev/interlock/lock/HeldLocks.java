// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.NotExecutedException;
import dev.interlock.internal.Engine;
import dev.interlock.internal.EveryMaster;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Finds the plain locks that are held now. Used once. */
final class HeldLocks {
    static final int MAX_FOUND = 10_000;

    private static final String PRIMITIVE = "lock";
    private static final int PATIENCE_SECONDS = 10;
    private static final int STEP = 1_000;

    private final Leases leases;
    private final Engine engine;
    private final int most;
    private final ScanArgs args;
    private final NavigableSet<String> names = new ConcurrentSkipListSet<>();

    HeldLocks(Leases leases, int most) {
        this.leases = leases;
        this.engine = leases.engine();
        this.most = most;
        args = ScanArgs.Builder.limit(STEP).match(engine.keys().pattern(PRIMITIVE));
    }

    CompletableFuture<List<HeldLock>> find() {
        return EveryMaster.of(engine, connection -> step(connection, ScanCursor.INITIAL))
                .thenCompose(done -> owners())
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .handle(HeldLocks::answered);
    }

    private static List<HeldLock> answered(@Nullable List<HeldLock> found, @Nullable Throwable error) {
        if (found == null) {
            throw new NotExecutedException("Redis did not list its locks: " + error, error);
        }
        return found;
    }

    private CompletionStage<Boolean> step(StatefulRedisConnection<byte[], byte[]> connection, ScanCursor cursor) {
        return connection.async().scan(cursor, args).thenCompose(page -> {
            take(page);
            return page.isFinished() || names.size() >= most
                    ? CompletableFuture.completedFuture(true)
                    : step(connection, page);
        });
    }

    private void take(KeyScanCursor<byte[]> page) {
        for (byte[] key : page.getKeys()) {
            engine.keys().nameOf(PRIMITIVE, key).ifPresent(names::add);
        }
    }

    private CompletableFuture<List<HeldLock>> owners() {
        List<HeldLock> found = new ArrayList<>();
        CompletableFuture<?> before = CompletableFuture.completedFuture(null);
        for (String name : names.stream().limit(most).toList()) {
            CompletableFuture<LockOwner> owner = leases.lane().owner(new LockKeys(engine.keys(), PRIMITIVE, name));
            before = before.thenCombine(owner, (done, who) -> who != null && found.add(new HeldLock(name, who)));
        }
        return before.thenApply(done -> List.copyOf(found));
    }
}
