// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.live;

import dev.interlock.Interlock;
import dev.interlock.flashsale.serve.live.LiveView.LockRow;
import dev.interlock.flashsale.serve.product.StockDesk;
import dev.interlock.lock.HeldLock;
import dev.interlock.lock.LockOwner;
import java.time.Duration;
import java.util.List;
import org.springframework.stereotype.Component;

/**
 * Looks which locks are held. In a large Redis that takes a while, so it looks again only after twenty times as long as the
 * last look took: it never costs more than a twentieth of a connection. Used by one thread.
 */
@Component
final class LockWatch {
    static final int MOST = 100;
    private static final int REST = 20;

    private final Interlock interlock;
    private final StockDesk desk;
    private List<HeldLock> found = List.of();
    private long nextNanos = System.nanoTime();

    LockWatch(Interlock interlock, StockDesk desk) {
        this.interlock = interlock;
        this.desk = desk;
    }

    /** Blocking. */
    List<LockRow> rows() {
        long now = System.nanoTime();
        if (now - nextNanos >= 0) {
            found = interlock.locks().held(MOST);
            nextNanos = System.nanoTime() + REST * (System.nanoTime() - now);
        }
        return found.stream().map(this::row).toList();
    }

    boolean complete() {
        return found.size() < MOST;
    }

    private LockRow row(HeldLock lock) {
        LockOwner owner = lock.owner();
        return new LockRow(
                lock.name(),
                owner.application(),
                owner.host(),
                owner.pid(),
                owner.since().orElse(null),
                owner.fence(),
                owner.remaining().map(Duration::toMillis).orElse(null),
                owner.waiting(),
                desk.waiting(lock.name()));
    }
}
