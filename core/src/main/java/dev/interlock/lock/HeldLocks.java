// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.NotExecutedException;
import dev.interlock.internal.Engine;
import dev.interlock.internal.EveryMaster;
import dev.interlock.internal.KeySearch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Finds the plain locks that are held now. Used once. */
final class HeldLocks {
    static final int MAX_FOUND = 10_000;

    private static final String PRIMITIVE = "lock";
    private static final int PATIENCE_SECONDS = 10;
    /** Longer than the patience, which then says that it is over. */
    private static final long WALK_MILLIS = 2_000L * PATIENCE_SECONDS;

    private final Leases leases;
    private final Engine engine;
    private final int most;
    private final KeySearch names;

    HeldLocks(Leases leases, int most) {
        this.leases = leases;
        this.engine = leases.engine();
        this.most = most;
        names = new KeySearch(engine.keys(), PRIMITIVE, "", most);
    }

    CompletableFuture<List<HeldLock>> find() {
        return EveryMaster.of(engine, connection -> names.walk(connection, WALK_MILLIS))
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

    private CompletableFuture<List<HeldLock>> owners() {
        List<HeldLock> found = new ArrayList<>();
        CompletableFuture<?> before = CompletableFuture.completedFuture(null);
        for (String name : names.found().stream().limit(most).toList()) {
            CompletableFuture<LockOwner> owner = leases.lane().owner(new LockKeys(engine.keys(), PRIMITIVE, name));
            before = before.thenCombine(owner, (done, who) -> who != null && found.add(new HeldLock(name, who)));
        }
        return before.thenApply(done -> List.copyOf(found));
    }
}
