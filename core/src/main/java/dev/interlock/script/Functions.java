// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script;

import dev.interlock.internal.Engine;
import dev.interlock.internal.LuaScript;
import java.util.List;
import java.util.concurrent.CompletionStage;
import reactor.core.publisher.Mono;

/**
 * Interlock's scripts, and yours, as functions of Redis: see {@link dev.interlock.ScriptMode#FUNCTION}. Needs a Redis user
 * who may run {@code FUNCTION LOAD} and {@code FUNCTION LIST}; applications need neither once the functions are deployed.
 *
 * <p>Each script is a library of its own, named {@code interlock_<script>_v<version>_<first 8 digits of its digest>}, so
 * versions live side by side and nothing deployed is ever replaced. Functions that no program calls any more are left to
 * the administrator: {@code FUNCTION DELETE}. Thread-safe; nothing to close.
 */
public interface Functions {
    /**
     * Loads all functions on every master that lacks them, and reports.
     *
     * @param own scripts of yours to deploy beside Interlock's
     * @return one report for each master
     * @throws dev.interlock.NotExecutedException if the user may not, or a master cannot be reached; some masters may have
     *     the functions then, and repeating does no harm
     */
    List<NodeFunctions> deploy(Script<?>... own);

    /**
     * Reports which master has which functions, and changes nothing. Masters that differ are found by it, for instance one
     * that joined the cluster after the deployment.
     *
     * @param own scripts of yours to look for beside Interlock's
     * @return one report for each master
     * @throws dev.interlock.NotExecutedException if the user may not, or a master cannot be reached
     */
    List<NodeFunctions> status(Script<?>... own);

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
     * Made by {@link dev.interlock.Interlock#functions()}.
     *
     * @param engine runtime resources
     * @param scripts Interlock's own
     * @return the functions
     */
    static Functions create(Engine engine, List<LuaScript> scripts) {
        return new BlockingFunctions(new FunctionCalls(engine, scripts));
    }

    /** As {@link Functions}; stages complete on I/O threads. */
    interface Async {
        /** As {@link Functions#deploy(Script...)}. */
        CompletionStage<List<NodeFunctions>> deploy(Script<?>... own);

        /** As {@link Functions#status(Script...)}. */
        CompletionStage<List<NodeFunctions>> status(Script<?>... own);
    }

    /** As {@link Functions}; each subscription is one call. */
    interface Reactive {
        /** As {@link Functions#deploy(Script...)}. */
        Mono<List<NodeFunctions>> deploy(Script<?>... own);

        /** As {@link Functions#status(Script...)}. */
        Mono<List<NodeFunctions>> status(Script<?>... own);
    }
}
