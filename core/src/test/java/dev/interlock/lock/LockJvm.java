// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;

/** A JVM that runs {@link LockJvmMain}, and what it has said. */
final class LockJvm implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Thread reader = new Thread(this::read);

    LockJvm(String... args) {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                LockJvmMain.class.getName()));
        command.addAll(List.of(args));
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            // The process was killed.
        }
    }

    List<String> said(String word) {
        return lines.stream().filter(line -> line.startsWith(word)).toList();
    }

    String awaitLine(String word) {
        return Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .atMost(PATIENCE)
                .until(() -> said(word), found -> !found.isEmpty())
                .get(0);
    }

    void write() {
        try {
            process.outputWriter().write('\n');
            process.outputWriter().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void signal(String name) {
        try {
            Process kill = new ProcessBuilder("sh", "-c", "kill -s " + name + " " + process.pid())
                    .inheritIO()
                    .start();
            assertThat(kill.waitFor()).isZero();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    void awaitEnd() {
        Awaitility.await().atMost(PATIENCE).until(() -> !process.isAlive() && !reader.isAlive());
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
