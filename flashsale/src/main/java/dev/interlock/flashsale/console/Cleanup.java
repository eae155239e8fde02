// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.console;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;

/**
 * Closes what a command has opened, last first: at its end, or when it is interrupted (Ctrl-C, SIGTERM), which it then says
 * in one line. Thread-safe.
 */
public final class Cleanup implements AutoCloseable {
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final Thread hook;
    private boolean closed;

    /**
     * Watches for an interruption from now on.
     *
     * @param command which command, for the line
     */
    public Cleanup(String command) {
        hook = new Thread(
                () -> {
                    closeAll();
                    System.err.println(command + ": interrupted; what it had started is stopped");
                },
                "cleanup");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * Takes over something to close.
     *
     * @param resource what to close
     * @param <T> its type
     * @return the resource
     */
    public synchronized <T extends AutoCloseable> T add(T resource) {
        if (closed) {
            closeQuietly(resource);
            throw new IllegalStateException("the command is ending");
        }
        open.push(resource);
        return resource;
    }

    /** Closes everything. If the JVM is being ended, waits for that instead, so that the caller says nothing more. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            awaitEnd();
        }
        closeAll();
    }

    private static void awaitEnd() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void closeAll() {
        closed = true;
        while (!open.isEmpty()) {
            closeQuietly(open.pop());
        }
    }

    private static void closeQuietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            // The work is over; nothing depends on it any more.
        }
    }
}
