// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import dev.interlock.NotExecutedException;
import dev.interlock.ScriptMode;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.CommandType;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** In which form a node knows a script: by its digest, or as a function. */
enum ScriptForm {
    /** SCRIPT LOAD and EVALSHA. */
    DIGEST {
        @Override
        RedisCall call(LuaScript script, byte[][] keys, byte[][] args) {
            return RedisCall.of(CommandType.EVALSHA, script.sha1(), keys, args);
        }

        @Override
        CompletionStage<?> load(LuaScript script, StatefulRedisConnection<byte[], byte[]> node) {
            return node.async().scriptLoad(script.source());
        }

        @Override
        boolean missing(Throwable error) {
            return Failures.scriptMissing(error);
        }
    },

    /** FUNCTION LOAD and FCALL. Other versions of the same script stay: their names differ. */
    FUNCTION {
        @Override
        RedisCall call(LuaScript script, byte[][] keys, byte[][] args) {
            return RedisCall.of(CommandType.FCALL, script.function(), keys, args);
        }

        @Override
        CompletionStage<?> load(LuaScript script, StatefulRedisConnection<byte[], byte[]> node) {
            return node.async()
                    .functionLoad(script.library())
                    .handle((name, error) -> error == null ? DONE : loaded(script, Await.cause(error)))
                    .thenCompose(outcome -> outcome);
        }

        @Override
        boolean missing(Throwable error) {
            return error instanceof RedisCommandExecutionException && NOT_FOUND.equals(error.getMessage());
        }
    };

    /** Redis' whole answer; what a script answers as an error of its own, with these words only, must be left alone. */
    private static final String NOT_FOUND = "ERR Function not found";

    private static final CompletionStage<@Nullable Void> DONE = CompletableFuture.completedFuture(null);

    static ScriptForm of(ScriptMode mode) {
        return mode == ScriptMode.FUNCTION ? FUNCTION : DIGEST;
    }

    /** The command that runs a script. */
    abstract RedisCall call(LuaScript script, byte[][] keys, byte[][] args);

    /** Makes a script known to a node. */
    abstract CompletionStage<?> load(LuaScript script, StatefulRedisConnection<byte[], byte[]> node);

    /** Whether the node said that it does not know the script, so that it surely did not run. */
    abstract boolean missing(Throwable error);

    private static CompletionStage<@Nullable Void> loaded(LuaScript script, Throwable error) {
        String message = String.valueOf(error.getMessage());
        // Another client was faster: the same name is the same content.
        if (message.startsWith("ERR Library '" + script.function() + "' already exists")) {
            return DONE;
        }
        if (message.startsWith("NOPERM")) {
            return CompletableFuture.failedFuture(new NotExecutedException(
                    "script " + script.name() + " was not executed: this node lacks the function " + script.function()
                            + " and this Redis user may not load it; deploy the functions as a user who may (interlock"
                            + " functions deploy)",
                    error));
        }
        return CompletableFuture.failedFuture(error);
    }
}
