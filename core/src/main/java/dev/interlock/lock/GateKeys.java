// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.Keys;
import java.util.Locale;

/** The keys of one semaphore or read-write lock; all share the slot of its name. */
final class GateKeys {
    /** For messages: which primitive, and its name. */
    final String primitive;

    final LeaseKind kind;
    final String name;
    final byte[] holders;
    final byte[] fence;
    final byte[] queue;
    final byte[] waiters;

    GateKeys(Keys keys, String primitive, String name) {
        this.primitive = primitive;
        this.kind = LeaseKind.valueOf(primitive.toUpperCase(Locale.ROOT));
        this.name = name;
        holders = keys.of(primitive, name);
        fence = keys.part(primitive, name, "fence");
        queue = keys.part(primitive, name, "queue");
        waiters = keys.part(primitive, name, "waiters");
    }
}
