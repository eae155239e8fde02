// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Who wants to know that a lease is lost; told once. Thread-safe. */
final class Loss {
    private final ReentrantLock guard = new ReentrantLock();
    private final List<Runnable> callbacks = new ArrayList<>(0);
    private volatile @Nullable String reason;

    /** Adds a callback; false if it is too late and the loss was told. */
    boolean add(Runnable callback) {
        guard.lock();
        try {
            return reason == null && callbacks.add(callback);
        } finally {
            guard.unlock();
        }
    }

    void tell(String why, Consumer<Runnable> run) {
        guard.lock();
        try {
            reason = why;
        } finally {
            guard.unlock();
        }
        callbacks.forEach(run);
    }

    /** Why it was lost; null while it was not. */
    @Nullable
    String reason() {
        return reason;
    }
}
