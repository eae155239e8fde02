// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * The life of one server over several runs: start, stop, crash, pause, restart, on one port and one set of files. Both
 * servers share it. Thread-safe; {@link #close()} ends it for good.
 */
final class ServerProcess implements AutoCloseable {
    /** How a kind of server is stopped: by its own shutdown, and by the guard when this JVM is gone. */
    record Signals(String graceful, String guard) {}

    private static final Duration START_LIMIT = Duration.ofSeconds(30);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(15);
    private static final int LOG_TAIL_CHARS = 4_000;

    private final List<String> command;
    private final Signals signals;
    private final Path home;
    private final Path log;
    private final LongPredicate ready;
    private GuardedProcess run;
    private boolean closed;

    private ServerProcess(List<String> command, Signals signals, Path home, LongPredicate ready) {
        this.command = List.copyOf(command);
        this.signals = signals;
        this.home = home;
        this.log = logIn(home);
        this.ready = ready;
        this.run = GuardedProcess.start(this.command, signals.guard(), home, log);
    }

    /**
     * Starts the server and waits until it is ready.
     *
     * @param home temporary directory of this server, deleted when it is closed or this JVM ends
     * @param ready whether the process with this id answers; asked again and again while it lives
     * @throws IllegalStateException with the end of the server's log, when it ends or is not ready in time
     */
    static ServerProcess start(List<String> command, Signals signals, Path home, LongPredicate ready) {
        ServerProcess server = new ServerProcess(command, signals, home, ready);
        try {
            server.awaitReady();
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
        return server;
    }

    /** A new private directory for {@link #start}. */
    static Path newHome(String prefix) {
        try {
            return Files.createTempDirectory(prefix);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot make a temporary directory", e);
        }
    }

    static Path logIn(Path home) {
        return home.resolve("server.log");
    }

    private void awaitReady() {
        GuardedProcess current = run;
        boolean answered = GuardedProcess.poll(START_LIMIT, () -> !current.isAlive() || ready.test(current.pid()));
        if (!answered || !current.isAlive()) {
            String what =
                    current.isAlive() ? " is not ready after " + START_LIMIT.toSeconds() + " s" : " did not start";
            throw new IllegalStateException(command.get(0) + what + "; the end of its log:\n" + tail(log()));
        }
    }

    synchronized long pid() {
        return run.pid();
    }

    synchronized boolean isAlive() {
        return run.isAlive();
    }

    synchronized void kill() {
        run.signalAll("STOP"); // no child can be born while the tree is read
        List<ProcessHandle> killed = run.signalAll("KILL");
        GuardedProcess.poll(STOP_LIMIT, () -> killed.stream().allMatch(GuardedProcess::isGone));
    }

    synchronized void pause() {
        run.signal("STOP");
        run.signalAll("STOP");
    }

    synchronized void resume() {
        run.signalAll("CONT");
    }

    synchronized void stop() {
        if (run.isAlive()) {
            run.signal(signals.graceful());
            resume();
            if (!run.awaitEnd(STOP_LIMIT)) {
                kill();
            }
        }
    }

    synchronized void restart() {
        if (closed) {
            throw new IllegalStateException("This server is closed");
        }
        stop();
        GuardedProcess ended = run;
        run = GuardedProcess.start(command, signals.guard(), home, log); // first, so that home is never without a guard
        ended.release();
        awaitReady();
    }

    /** Everything the server has printed in all its runs; empty once closed. */
    String log() {
        return read(log);
    }

    static String read(Path log) {
        try {
            return Files.exists(log) ? new String(Files.readAllBytes(log), StandardCharsets.UTF_8) : "";
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read the log " + log, e);
        }
    }

    static String tail(String log) {
        return log.substring(Math.max(0, log.length() - LOG_TAIL_CHARS));
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            resume(); // a paused process could not follow the guard's signal
            run.close();
        }
    }
}
