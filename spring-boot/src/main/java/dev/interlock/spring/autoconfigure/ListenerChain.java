// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.autoconfigure;

import dev.interlock.InterlockListener;
import dev.interlock.Operation;
import java.util.List;
import java.util.function.Consumer;

/** Tells several listeners of everything, in their order. */
record ListenerChain(List<InterlockListener> listeners) implements InterlockListener {
    static InterlockListener of(List<InterlockListener> listeners) {
        return switch (listeners.size()) {
            case 0 -> InterlockListener.NONE;
            case 1 -> listeners.get(0);
            default -> new ListenerChain(List.copyOf(listeners));
        };
    }

    /** Who fails does not keep the others from being told; the last failure goes to the log of the core. */
    private void tell(Consumer<InterlockListener> event) {
        RuntimeException failure = null;
        for (InterlockListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (RuntimeException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public Ending operationStarted(Operation operation) {
        List<Ending> endings = listeners.stream()
                .map(listener -> listener.operationStarted(operation))
                .filter(ending -> ending != Ending.NONE)
                .toList();
        return endings.isEmpty() ? Ending.NONE : outcome -> endings.forEach(ending -> ending.ended(outcome));
    }

    @Override
    public void operationEnded(Operation operation, String outcome, long nanos) {
        tell(listener -> listener.operationEnded(operation, outcome, nanos));
    }

    @Override
    public void scriptCompleted(String script, Outcome outcome, long nanos) {
        tell(listener -> listener.scriptCompleted(script, outcome, nanos));
    }

    @Override
    public void scriptReloaded(String script) {
        tell(listener -> listener.scriptReloaded(script));
    }

    @Override
    public void scriptResent(String script) {
        tell(listener -> listener.scriptResent(script));
    }

    @Override
    public void crossSlotRefused(String script) {
        tell(listener -> listener.crossSlotRefused(script));
    }

    @Override
    public void limiterAway(String limiter) {
        tell(listener -> listener.limiterAway(limiter));
    }

    @Override
    public void limiterBack(String limiter) {
        tell(listener -> listener.limiterBack(limiter));
    }
}
