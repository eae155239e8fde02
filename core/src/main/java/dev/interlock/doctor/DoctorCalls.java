// SPDX-License-Identifier: Apache-2.0
package dev.interlock.doctor;

import dev.interlock.internal.Engine;
import dev.interlock.internal.LuaScript;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The operations, written once. */
record DoctorCalls(Engine engine, List<LuaScript> scripts) implements Doctor.Async {
    @Override
    public CompletionStage<List<Diagnosis>> examine() {
        List<CompletableFuture<List<Diagnosis>>> nodes =
                engine.masters().stream().map(this::examine).toList();
        return CompletableFuture.allOf(nodes.toArray(CompletableFuture[]::new))
                .thenApply(done ->
                        nodes.stream().flatMap(node -> node.join().stream()).toList());
    }

    private CompletableFuture<List<Diagnosis>> examine(
            CompletionStage<StatefulRedisConnection<byte[], byte[]>> master) {
        return master.thenCompose(node -> new Examination(engine, scripts, node).diagnose())
                .exceptionally(error -> List.of(Diagnosis.fail(
                        "a master",
                        "connection",
                        "there is no connection to it: " + Examination.reason(error),
                        "check that it runs and can be reached")))
                .toCompletableFuture();
    }
}
