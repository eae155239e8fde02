// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script;

import dev.interlock.internal.Await;
import dev.interlock.internal.Engine;
import dev.interlock.internal.EveryMaster;
import dev.interlock.script.Scripts.KillResult;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** The operations, written once. */
record ScriptCalls(Engine engine) implements Scripts.Async {
    @Override
    public <T> CompletionStage<T> run(Script<T> script, ScriptKeys keys, ScriptArgs args) {
        return engine.scripts().run(script.lua(), keys.values(), args.values()).thenApply(script.reply()::decode);
    }

    void check(Script<?> script, ScriptKeys keys) {
        engine.scripts().checkKeys(script.lua(), keys.values());
    }

    @Override
    public CompletionStage<List<KillResult>> killRunning() {
        return EveryMaster.of(engine, ScriptCalls::kill);
    }

    private static CompletionStage<KillResult> kill(StatefulRedisConnection<byte[], byte[]> node) {
        return node.async().scriptKill().handle((ok, error) -> error).thenCompose(error -> {
            if (error == null) {
                return CompletableFuture.completedFuture(KillResult.KILLED);
            }
            return switch (code(error)) {
                case "NOTBUSY" -> CompletableFuture.completedFuture(KillResult.IDLE);
                case "UNKILLABLE" -> CompletableFuture.completedFuture(KillResult.UNKILLABLE);
                // A function is running: SCRIPT KILL is answered with BUSY then.
                case "BUSY" -> killFunction(node);
                default -> CompletableFuture.failedFuture(error);
            };
        });
    }

    private static CompletionStage<KillResult> killFunction(StatefulRedisConnection<byte[], byte[]> node) {
        return node.async().functionKill().handle((ok, error) -> {
            if (error == null) {
                return KillResult.FUNCTION_KILLED;
            }
            return switch (code(error)) {
                case "NOTBUSY" -> KillResult.IDLE;
                case "UNKILLABLE" -> KillResult.UNKILLABLE;
                default -> throw new CompletionException(error);
            };
        });
    }

    private static String code(Throwable error) {
        Throwable inner = Await.cause(error);
        String message = String.valueOf(inner.getMessage());
        return message.split(" ", 2)[0].toUpperCase(Locale.ROOT);
    }
}
