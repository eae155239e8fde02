// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import dev.interlock.InterlockListener;
import dev.interlock.Operation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps what a user's listener throws away from the calls it listens to. */
record SafeListener(InterlockListener listener) implements InterlockListener {
    private static final Logger log = LoggerFactory.getLogger(SafeListener.class);

    @Override
    public void scriptCompleted(String script, Outcome outcome, long nanos) {
        tell(() -> listener.scriptCompleted(script, outcome, nanos));
    }

    @Override
    public void scriptReloaded(String script) {
        tell(() -> listener.scriptReloaded(script));
    }

    @Override
    public void scriptResent(String script) {
        tell(() -> listener.scriptResent(script));
    }

    @Override
    public void crossSlotRefused(String script) {
        tell(() -> listener.crossSlotRefused(script));
    }

    @Override
    public Ending operationStarted(Operation operation) {
        try {
            Ending ending = listener.operationStarted(operation);
            return ending == Ending.NONE ? ending : outcome -> tell(() -> ending.ended(outcome));
        } catch (RuntimeException e) {
            failed(e);
            return Ending.NONE;
        }
    }

    @Override
    public void operationEnded(Operation operation, String outcome, long nanos) {
        tell(() -> listener.operationEnded(operation, outcome, nanos));
    }

    @Override
    public void limiterAway(String limiter) {
        tell(() -> listener.limiterAway(limiter));
    }

    @Override
    public void limiterBack(String limiter) {
        tell(() -> listener.limiterBack(limiter));
    }

    private static void tell(Runnable event) {
        try {
            event.run();
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    private static void failed(RuntimeException e) {
        log.warn("a listener failed; the call it was told about is not affected", e);
    }
}
