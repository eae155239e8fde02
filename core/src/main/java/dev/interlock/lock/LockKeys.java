// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.Keys;

/** The keys of one lock; all share the slot of its name. */
final class LockKeys {
    private static final String PRIMITIVE = "lock";

    final String name;
    final byte[] lock;
    final byte[] fence;
    final byte[] queue;
    final byte[] waiters;

    LockKeys(Keys keys, String name) {
        this.name = name;
        lock = keys.of(PRIMITIVE, name);
        fence = keys.part(PRIMITIVE, name, "fence");
        queue = keys.part(PRIMITIVE, name, "queue");
        waiters = keys.part(PRIMITIVE, name, "waiters");
    }
}
