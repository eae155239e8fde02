// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script;

import dev.interlock.NotExecutedException;
import dev.interlock.internal.Await;
import dev.interlock.internal.Engine;
import dev.interlock.internal.EveryMaster;
import dev.interlock.internal.LuaScript;
import dev.interlock.internal.NodeQueries;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The operations, written once. */
record FunctionCalls(Engine engine, List<LuaScript> scripts) implements Functions.Async {
    @Override
    public CompletionStage<List<NodeFunctions>> deploy(Script<?>... own) {
        return named("deploy", engine.scripts().deployFunctions(expected(own)).thenCompose(done -> report(own)));
    }

    @Override
    public CompletionStage<List<NodeFunctions>> status(Script<?>... own) {
        return named("status", report(own));
    }

    private List<LuaScript> expected(Script<?>... own) {
        return Stream.concat(scripts.stream(), Stream.of(own).map(Script::lua)).toList();
    }

    private CompletionStage<List<NodeFunctions>> report(Script<?>... own) {
        List<LuaScript> expected = expected(own);
        return EveryMaster.of(
                engine,
                node -> NodeQueries.address(node)
                        .thenCombine(
                                NodeQueries.libraries(node, LuaScript.FUNCTION_PREFIX),
                                (address, libraries) -> compare(address, libraries, expected)));
    }

    private static NodeFunctions compare(String address, Set<String> libraries, List<LuaScript> expected) {
        Set<String> present = new TreeSet<>();
        Set<String> missing = new TreeSet<>();
        expected.forEach(script -> (libraries.contains(script.function()) ? present : missing).add(script.function()));
        List<String> others = libraries.stream()
                .filter(library -> !present.contains(library))
                .filter(library -> expected.stream().anyMatch(script -> library.startsWith(script.family())))
                .sorted()
                .toList();
        return new NodeFunctions(address, List.copyOf(present), List.copyOf(missing), others);
    }

    private static <T> CompletionStage<T> named(String verb, CompletionStage<T> stage) {
        Function<Throwable, @Nullable T> rename = error -> {
            Throwable cause = Await.cause(error);
            throw new CompletionException(
                    cause instanceof NotExecutedException
                            ? cause
                            : new NotExecutedException("functions." + verb + " failed: " + cause.getMessage(), cause));
        };
        return stage.exceptionally(rename);
    }
}
