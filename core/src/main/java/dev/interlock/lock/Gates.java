// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.Keys;
import dev.interlock.internal.WeakCache;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What all semaphores and read-write locks of one Interlock share. Thread-safe. */
final class Gates {
    /** Most permits of a semaphore, and most readers at a time. */
    static final int MAX_PLACES = 1_000_000;

    private final Leases leases;
    private final String channel;
    private final GateLane lane;
    private final WeakCache<Gate> gates = new WeakCache<>();
    /** Whom a push wakes, by token. */
    private final Map<String, Runnable> sleepers = new ConcurrentHashMap<>();

    Gates(Leases leases) {
        this.leases = leases;
        channel = leases.engine().keys().prefix() + ":gate:push:" + leases.newToken();
        lane = new GateLane(leases.engine(), channel);
    }

    Gate gate(String primitive, String name, LockOptions options) {
        Keys keys = options.keyPrefix().isEmpty() ? leases.engine().keys() : new Keys(options.keyPrefix());
        return gates.get(
                keys.prefix() + ' ' + primitive + ' ' + name,
                id -> new Gate(this, leases, new GateKeys(keys, primitive, name)));
    }

    GateLane lane() {
        return lane;
    }

    /** Has a push for a token run a short task until {@link #stopListening}. */
    void listen(GateKeys keys, String token, Runnable wake) {
        sleepers.put(token, wake);
        leases.engine().tracking().listen(keys.holders, channel, this::pushed);
    }

    void stopListening(String token) {
        sleepers.remove(token);
    }

    private void pushed(byte[] message) {
        Runnable wake = sleepers.get(new String(message, StandardCharsets.ISO_8859_1));
        if (wake != null) {
            wake.run();
        }
    }
}
