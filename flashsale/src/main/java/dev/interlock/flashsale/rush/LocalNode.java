// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

import dev.interlock.flashsale.console.FailedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A node in this JVM. */
final class LocalNode implements Node {
    private final Load load;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private final Thread thread = new Thread(this::run, "rush-node");

    LocalNode(Load load) {
        this.load = load;
        thread.setDaemon(true);
    }

    @Override
    public void start() {
        thread.start();
    }

    private void run() {
        try {
            outcome.complete(load.run());
        } catch (InterruptedException e) {
            outcome.completeExceptionally(new FailedException("interrupted before all requests were made", e));
        } catch (RuntimeException e) {
            outcome.completeExceptionally(e);
        }
    }

    @Override
    public long progress() {
        return load.progress();
    }

    @Override
    public boolean ended() {
        return outcome.isDone();
    }

    @Override
    public Outcome outcome() {
        try {
            return outcome.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof FailedException failed ? failed : e;
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
