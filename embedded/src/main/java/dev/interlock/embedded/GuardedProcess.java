// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * One run of a server process that cannot outlive this JVM, together with the temporary directory it works in.
 *
 * <p>A small shell, the guard, starts the server and holds the reading end of a pipe whose writing end only this JVM
 * has. However the JVM ends ({@code kill -9} included), the pipe ends too; the guard then stops the server and deletes
 * the directory. Guard and server run in a session of their own, so neither Ctrl-C nor a signal to the JVM's process
 * group reaches them.
 */
final class GuardedProcess implements AutoCloseable {
    /**
     * Arguments: stop signal, directory to delete, log file, command. Prints the server's pid, and its exit status when
     * it has ended. The watcher is killed and reaped before the status is printed: it can neither hit a reused pid nor
     * read the line that {@link #release()} writes for the guard. SIGPIPE is ignored because with the JVM gone nobody
     * reads what the guard prints.
     */
    private static final String GUARD = """
            trap '' INT HUP QUIT TERM PIPE
            exec 3<&0
            stop=$1 directory=$2 log=$3
            shift 3
            "$@" </dev/null 3<&- >>"$log" 2>&1 &
            child=$!
            echo $child
            {
              read -r _ <&3
              kill -s "$stop" $child
              kill -s CONT $child
              for _ in 1 2 3 4 5 6 7 8; do sleep 1; done
              kill -s KILL $child
            } >/dev/null 2>&1 &
            watcher=$!
            wait $child
            status=$?
            kill -s KILL $watcher
            wait $watcher
            echo $status
            read -r _ <&3 || rm -rf "$directory" || { sleep 1; rm -rf "$directory"; }
            """;

    private static final Duration GUARD_END = Duration.ofSeconds(15);

    private final Process guard;
    private final BufferedReader fromGuard;
    private final long pid;
    private final Optional<ProcessHandle> server;

    private GuardedProcess(Process guard) throws IOException {
        this.guard = guard;
        this.fromGuard = new BufferedReader(new InputStreamReader(guard.getInputStream(), StandardCharsets.US_ASCII));
        this.pid = Long.parseLong(line());
        this.server = ProcessHandle.of(pid);
    }

    /**
     * Starts {@code command} with its output appended to {@code log}. When the guard has to stop it, it sends
     * {@code stopSignal} and, 8 s later, SIGKILL (a postmaster kills hanging children after 5 s); then it deletes
     * {@code directory}.
     */
    static GuardedProcess start(List<String> command, String stopSignal, Path directory, Path log) {
        List<String> line = new ArrayList<>();
        Executables.onPath("setsid").ifPresent(setsid -> line.add(setsid.toString()));
        line.addAll(List.of("sh", "-c", GUARD, "interlock-guard", stopSignal, directory.toString(), log.toString()));
        line.addAll(command);
        try {
            return new GuardedProcess(new ProcessBuilder(line)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start " + command.get(0) + " through sh", e);
        }
    }

    long pid() {
        return pid;
    }

    boolean isAlive() {
        return server.filter(process -> !isGone(process)).isPresent();
    }

    /** Sends a signal to the server process alone; nothing happens when it has ended. */
    void signal(String name) {
        server.ifPresent(process -> send(name, List.of(process)));
    }

    /** Sends a signal to the server process and all its descendants, which it returns. */
    List<ProcessHandle> signalAll(String name) {
        List<ProcessHandle> all = server.stream()
                .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
                .toList();
        send(name, all);
        return all;
    }

    private static void send(String signal, List<ProcessHandle> processes) {
        List<String> line = new ArrayList<>(List.of("sh", "-c", "kill -s \"$@\"", "sh", signal));
        processes.stream().filter(ProcessHandle::isAlive).forEach(process -> line.add(Long.toString(process.pid())));
        if (line.size() == 5) {
            return;
        }
        try {
            new ProcessBuilder(line)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot send " + signal, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether a process has ended; one that nobody has reaped yet, as in containers without init, has too. */
    static boolean isGone(ProcessHandle process) {
        try {
            return !process.isAlive()
                    || Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"))
                            .contains(") Z ");
        } catch (IOException e) {
            return !process.isAlive(); // it ended meanwhile, or this is macOS
        }
    }

    boolean awaitEnd(Duration limit) {
        return poll(limit, () -> !isAlive());
    }

    /**
     * Ends the guard of a server that has ended and keeps the directory.
     *
     * @return the exit status of the server, 128 + signal when a signal ended it
     */
    int release() {
        try (OutputStream toGuard = guard.getOutputStream()) {
            int status = Integer.parseInt(line());
            toGuard.write('\n');
            return status;
        } catch (IOException e) {
            throw new UncheckedIOException("The guard of process " + pid + " is gone", e);
        }
    }

    /** Stops the server if it runs and deletes the directory, by the same path as when the JVM dies. */
    @Override
    public void close() {
        try {
            guard.getOutputStream().close();
            guard.waitFor(GUARD_END.toMillis(), TimeUnit.MILLISECONDS);
        } catch (IOException e) {
            throw new UncheckedIOException("The guard of process " + pid + " is gone", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the guard does its work all the same
        }
    }

    private String line() throws IOException {
        String line = fromGuard.readLine();
        if (line == null) {
            throw new IOException("The guard shell ended early");
        }
        return line;
    }

    /** Asks {@code condition} every few milliseconds until it holds or {@code limit} has passed. */
    static boolean poll(Duration limit, BooleanSupplier condition) {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end || Thread.currentThread().isInterrupted()) {
                return false;
            }
            try {
                TimeUnit.MILLISECONDS.sleep(5);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return true;
    }
}
