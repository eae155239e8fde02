// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The packaged command line as a process of its own. */
public final class Command implements AutoCloseable {
    private static final Path JAR = Path.of("target", "interlock-flashsale.jar");

    private final Process process;
    private final Path out;
    private final Path err;

    private Command(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    public static Command start(Path directory, String... args) {
        assertThat(JAR).as("the jar that the build has packaged").exists();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", // these processes live too short for more
                "-jar",
                JAR.toAbsolutePath().toString()));
        command.addAll(List.of(args));
        try {
            Path out = Files.createTempFile(directory, "out", null);
            Path err = Files.createTempFile(directory, "err", null);
            Process process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            return new Command(process, out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int awaitExit() {
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ended").isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
        return process.exitValue();
    }

    public String out() {
        return read(out);
    }

    public String err() {
        return read(err);
    }

    public JsonNode json() {
        return new JsonMapper().readTree(out());
    }

    /** Waits for a line on the error stream. */
    public void awaitSaid(String text) {
        await().atMost(Duration.ofSeconds(60)).until(() -> err().contains(text));
    }

    /** The processes that it has started, and theirs. */
    public List<ProcessHandle> descendants() {
        return process.descendants().toList();
    }

    /** Whether a process has ended; one that nobody has waited for yet still has an id, but no executable. */
    public static boolean isGone(ProcessHandle process) {
        return !process.isAlive() || process.info().command().isEmpty();
    }

    /** SIGTERM. */
    public void terminate() {
        process.destroy();
    }

    /** SIGKILL. */
    public void kill() {
        process.destroyForcibly();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
