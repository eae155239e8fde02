// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import dev.interlock.InterlockListener;
import dev.interlock.Operation;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Tells a listener how operations ended; costs nothing where nobody listens. Thread-safe. */
public final class Telling {
    private static final String FAILED = "failed";

    private final InterlockListener listener;
    private final boolean on;
    private final Map<Class<?>, String> names = new ConcurrentHashMap<>();

    Telling(InterlockListener given, InterlockListener listener) {
        this.listener = listener;
        this.on = given != InterlockListener.NONE;
    }

    /**
     * Whether anybody listens.
     *
     * @return false if what is told goes nowhere
     */
    public boolean on() {
        return on;
    }

    /**
     * Tells of an end.
     *
     * @param operation what ended
     * @param outcome how, one of its outcomes
     * @param nanos how long it took, in nanoseconds; 0 if it is only counted
     */
    public void ended(Operation operation, String outcome, long nanos) {
        if (on) {
            listener.operationEnded(operation, outcome, nanos);
        }
    }

    /**
     * Tells of the end of an operation whose results are records named after their outcome.
     *
     * @param operation what is under way
     * @param stage its result
     * @param <T> type of its result
     * @param <S> type of the stage
     * @return the same stage
     */
    public <T, S extends CompletionStage<T>> S end(Operation operation, S stage) {
        return end(operation, stage, this::name);
    }

    /**
     * Tells of the end of an operation.
     *
     * @param operation what is under way
     * @param stage its result
     * @param outcome names the outcome of a result
     * @param <T> type of its result
     * @param <S> type of the stage
     * @return the same stage
     */
    public <T, S extends CompletionStage<T>> S end(Operation operation, S stage, Function<? super T, String> outcome) {
        if (on) {
            InterlockListener.Ending ending = start(operation);
            stage.whenComplete((result, error) -> ending.ended(error == null ? outcome.apply(result) : FAILED));
        }
        return stage;
    }

    /**
     * Tells of a start, on the thread of the caller.
     *
     * @param operation what starts
     * @return whom to tell of its end
     */
    public InterlockListener.Ending start(Operation operation) {
        InterlockListener.Ending ending = listener.operationStarted(operation);
        long start = System.nanoTime();
        return outcome -> {
            ended(operation, outcome, System.nanoTime() - start);
            ending.ended(outcome);
        };
    }

    private String name(Object result) {
        return names.computeIfAbsent(result.getClass(), type -> outcome(type.getSimpleName()));
    }

    /**
     * Names the outcome that a result stands for.
     *
     * @param type simple name of its type, for example {@code SoldOut}
     * @return for example {@code sold_out}
     */
    public static String outcome(String type) {
        return type.replaceAll("(?<=.)([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
}
