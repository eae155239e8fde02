// SPDX-License-Identifier: Apache-2.0
package dev.interlock.inventory;

import dev.interlock.internal.Await;
import dev.interlock.internal.Engine;
import dev.interlock.internal.LuaScript;
import dev.interlock.internal.Text;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Tries every master with one write. */
final class Probe {
    private static final LuaScript PROBE = LuaScript.own(Probe.class, "probe");
    private static final long LAPSE_MILLIS = 1_000;
    /** So many random keys miss a master that serves a hundredth of the slots once in 10^17. */
    private static final int KEYS = 4_096;

    private final Engine engine;

    Probe(Engine engine) {
        this.engine = engine;
    }

    CompletionStage<Map<String, String>> run() {
        Map<String, CompletableFuture<String>> tries = new LinkedHashMap<>();
        keys().forEach((node, key) -> tries.put(node, attempt(key)));
        return CompletableFuture.allOf(tries.values().toArray(CompletableFuture[]::new))
                .thenApply(done -> {
                    Map<String, String> failures = new TreeMap<>();
                    tries.forEach((node, attempt) -> {
                        if (!attempt.join().isEmpty()) {
                            failures.put(node, attempt.join());
                        }
                    });
                    return failures;
                });
    }

    /** One key for each master. */
    private Map<String, byte[]> keys() {
        Map<String, byte[]> keys = new LinkedHashMap<>();
        int most = engine.cluster() ? KEYS : 1;
        for (int i = 0; i < most; i++) {
            byte[] key = engine.keys().of("inventory", "probe" + i);
            keys.putIfAbsent(engine.nodeOf(key), key);
        }
        return keys;
    }

    private CompletableFuture<String> attempt(byte[] key) {
        return engine.scripts()
                .run(PROBE, reply -> "", new byte[][] {key}, Text.bytes(LAPSE_MILLIS))
                .exceptionally(error -> String.valueOf(Await.cause(error).getMessage()));
    }
}
