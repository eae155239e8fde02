// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import io.netty.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request that goes on at the moment Redis has reserved for it. Its units were taken for that moment when it was decided,
 * so who came first goes first, in all JVMs. Cancelled while it waits, it gives them back.
 */
final class Waiting extends CompletableFuture<Decision> {
    private final Consumer<Decision> giveBack;
    private volatile @Nullable Decision granted;

    Waiting(Timer timer, CompletableFuture<Decision> request, Consumer<Decision> giveBack) {
        this.giveBack = giveBack;
        request.whenComplete((decision, error) -> {
            if (error != null) {
                completeExceptionally(error);
            } else if (decision.allowed()) {
                granted(timer, decision);
            } else {
                complete(decision);
            }
        });
    }

    private void granted(Timer timer, Decision decision) {
        granted = decision;
        long waitMicros = decision.verdict().waitMicros();
        if (isCancelled()) {
            // Twice is harmless: a refund is done once.
            giveBack.accept(decision);
        } else if (waitMicros == 0) {
            complete(decision);
        } else {
            timer.newTimeout(ignored -> complete(decision), waitMicros, TimeUnit.MICROSECONDS);
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        Decision known = granted;
        if (cancelled && known != null) {
            giveBack.accept(known);
        }
        return cancelled;
    }
}
