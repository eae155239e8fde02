// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.Keys;

/** The keys of one lock; all share the slot of its name, or of its group. */
final class LockKeys {
    final String name;
    final byte[] lock;
    final byte[] fence;
    final byte[] queue;
    final byte[] waiters;
    /** Written only to have it acknowledged. */
    final byte[] mark;

    LockKeys(Keys keys, String primitive, String name) {
        this.name = name;
        lock = keys.of(primitive, name);
        fence = keys.part(primitive, name, "fence");
        queue = keys.part(primitive, name, "queue");
        waiters = keys.part(primitive, name, "waiters");
        mark = keys.part(primitive, name, "mark");
    }

    /** Keys of a lock that shares the slot of its group. */
    LockKeys(Keys keys, String primitive, String group, String name) {
        this.name = name;
        lock = keys.item(primitive, group, "lock", name);
        fence = keys.item(primitive, group, "fence", name);
        queue = keys.item(primitive, group, "queue", name);
        waiters = keys.item(primitive, group, "waiters", name);
        mark = keys.item(primitive, group, "mark", name);
    }
}
