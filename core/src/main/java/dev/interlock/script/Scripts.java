// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script;

import dev.interlock.internal.Engine;
import java.util.List;
import java.util.concurrent.CompletionStage;
import reactor.core.publisher.Mono;

/**
 * Runs your own scripts as Interlock runs its own: by EVALSHA, loaded again on a node that lacks them, never twice behind
 * your back.
 *
 * <p>A script whose header says {@code Retry safe} or {@code flags=no-writes} is sent again when its reply is lost; any
 * other ends in {@link dev.interlock.OutcomeUnknownException} then. Thread-safe; nothing to close.
 */
public interface Scripts {
    /**
     * Runs a script.
     *
     * @param script the script
     * @param keys its keys, at least one
     * @param args its arguments
     * @param <T> what it answers
     * @return the answer
     * @throws dev.interlock.CrossSlotException before anything is sent, if the keys belong to different cluster slots, also
     *     on a standalone server
     * @throws dev.interlock.ScriptException if the script ended with an error; what it wrote before stays
     * @throws dev.interlock.NotExecutedException if it surely did not run
     * @throws dev.interlock.RedisBusyException if Redis runs another script for too long
     * @throws dev.interlock.OutcomeUnknownException if it was sent and the reply is missing
     */
    <T> T run(Script<T> script, ScriptKeys keys, ScriptArgs args);

    /**
     * Ends the script that keeps a server busy, on every master where one does. Redis can end only what has not written.
     *
     * @return what was found on each master
     */
    List<KillResult> killRunning();

    /**
     * The same operations without waiting.
     *
     * @return the asynchronous view
     */
    Async async();

    /**
     * The same operations for Reactor; nothing is sent before subscription.
     *
     * @return the reactive view
     */
    Reactive reactive();

    /**
     * Made by {@link dev.interlock.Interlock#scripts()}.
     *
     * @param engine runtime resources
     * @return the script layer
     */
    static Scripts create(Engine engine) {
        return new BlockingScripts(new ScriptCalls(engine));
    }

    /** What {@link #killRunning()} found on one master. */
    enum KillResult {
        /** No script was running. */
        IDLE,
        /** The running script was a script by EVAL or EVALSHA; it was ended and has changed nothing. */
        KILLED,
        /** The running script was a function; it was ended and has changed nothing. */
        FUNCTION_KILLED,
        /**
         * The running script has written already, so Redis refuses to end it: half its changes would stay. Wait for it; the
         * only other way is SHUTDOWN NOSAVE, which loses what was not persisted.
         */
        UNKILLABLE
    }

    /** As {@link Scripts}; stages complete on I/O threads. */
    interface Async {
        /** As {@link Scripts#run(Script, ScriptKeys, ScriptArgs)}. */
        <T> CompletionStage<T> run(Script<T> script, ScriptKeys keys, ScriptArgs args);

        /** As {@link Scripts#killRunning()}. */
        CompletionStage<List<KillResult>> killRunning();
    }

    /** As {@link Scripts}; each subscription is one call. */
    interface Reactive {
        /** As {@link Scripts#run(Script, ScriptKeys, ScriptArgs)}. */
        <T> Mono<T> run(Script<T> script, ScriptKeys keys, ScriptArgs args);

        /** As {@link Scripts#killRunning()}. */
        Mono<List<KillResult>> killRunning();
    }
}
