// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.Keys;

/** The keys of one lock; all share the slot of its name. */
final class LockKeys {
    final String name;
    final byte[] lock;
    final byte[] fence;
    final byte[] queue;
    final byte[] waiters;

    LockKeys(Keys keys, String primitive, String name) {
        this.name = name;
        lock = keys.of(primitive, name);
        fence = keys.part(primitive, name, "fence");
        queue = keys.part(primitive, name, "queue");
        waiters = keys.part(primitive, name, "waiters");
    }
}
