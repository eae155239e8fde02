// SPDX-License-Identifier: Apache-2.0
package dev.interlock;

import dev.interlock.idempotency.Idempotency;
import dev.interlock.internal.LuaScript;
import dev.interlock.inventory.Inventory;
import dev.interlock.limit.RateLimiter;
import dev.interlock.lock.DistributedLock;
import dev.interlock.pool.Pool;
import dev.interlock.stock.StockCounter;
import dev.interlock.value.AtomicValue;
import java.util.ArrayList;
import java.util.List;

/** All scripts of all primitives. A test compares the list with the files. */
final class OwnScripts {
    private OwnScripts() {}

    static List<LuaScript> all() {
        List<LuaScript> all = new ArrayList<>(RateLimiter.scripts());
        add(
                all,
                DistributedLock.class,
                "acquire",
                "acquire_all",
                "downgrade",
                "enter",
                "guard",
                "holders",
                "lapse",
                "leave");
        add(all, DistributedLock.class, "owner", "prolong", "release", "renew");
        add(all, DistributedLock.class, "quorum_acquire", "quorum_confirm", "quorum_release", "quorum_renew");
        add(all, Pool.class, "adjust", "create", "drop", "fence", "issue", "restock", "revoke", "schedule", "settings");
        add(all, Pool.class, "cancel", "confirm", "find", "hold", "load", "seal", "state", "sweep", "switch", "trim");
        add(all, Pool.class, "move_in", "move_out", "refuse", "settle", "survey");
        add(all, StockCounter.class, "add", "available", "give_back", "order", "record", "set", "take");
        add(all, AtomicValue.class, "look", "read", "swap", "write");
        add(all, Idempotency.class, "begin", "finish", "release", "renew");
        add(all, Inventory.class, "probe");
        return List.copyOf(all);
    }

    private static void add(List<LuaScript> all, Class<?> feature, String... verbs) {
        for (String verb : verbs) {
            all.add(LuaScript.own(feature, verb));
        }
    }
}
