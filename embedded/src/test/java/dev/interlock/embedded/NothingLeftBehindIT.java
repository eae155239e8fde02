// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NothingLeftBehindIT {
    @TempDir
    Path temp;

    @ParameterizedTest
    @CsvSource({"KILL,running,5", "INT,running,5", "TERM,running,5", "KILL,crashed,5", "KILL,paused,8"})
    void endsServersAndDirectoriesWithTheJvm(String signal, String state, long seconds) throws Exception {
        Process jvm = startServers(state);
        try {
            List<Long> servers = serverPids(jvm);
            assertThat(jvm.isAlive()).isTrue();
            assertThat(temporaryDirectories()).hasSize(2);
            List<ProcessHandle> all =
                    Stream.concat(Stream.of(jvm.toHandle()), jvm.descendants()).toList();
            assertThat(all).hasSizeGreaterThanOrEqualTo(3); // the JVM and two guards at least

            // As a terminal does it on Ctrl-C: to the process group of the JVM, which setsid(1) made its own.
            send(signal, "-" + jvm.pid());

            await().atMost(Duration.ofSeconds(seconds)).untilAsserted(() -> {
                assertThat(all).allMatch(GuardedProcess::isGone);
                assertThat(servers).noneMatch(NothingLeftBehindIT::exists);
                assertThat(temporaryDirectories()).isEmpty();
            });
        } finally {
            jvm.destroyForcibly();
        }
    }

    @Test
    void deletesTheDirectoryOfAClosedServer() throws IOException {
        RedisServer redis = RedisServer.start();
        Path home = homeOf(redis);
        assertThat(home).exists();
        redis.close();
        assertThat(home).doesNotExist();
    }

    private static Path homeOf(RedisServer redis) throws IOException {
        try (Stream<Path> homes = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return homes.filter(home -> home.getFileName().toString().startsWith("interlock-redis-"))
                    .filter(home -> contains(home.resolve("redis.conf"), "port " + redis.port()))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static boolean contains(Path file, String line) {
        try {
            return Files.readAllLines(file).contains(line);
        } catch (IOException e) {
            return false;
        }
    }

    private Process startServers(String state) throws Exception {
        List<String> line = new ArrayList<>(List.of("setsid"));
        // Whoever is started in the background by a shell without job control ignores SIGINT, and so would this JVM.
        List<String> heeding = List.of("env", "--default-signal=INT");
        if (works(heeding)) {
            line.addAll(heeding);
        }
        line.addAll(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Djava.io.tmpdir=" + temp,
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                TwoServersMain.class.getName(),
                state));
        return new ProcessBuilder(line)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** An older env does not know the option. */
    private static boolean works(List<String> prefix) throws Exception {
        return new ProcessBuilder(Stream.concat(prefix.stream(), Stream.of("true"))
                                .toList())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    private static List<Long> serverPids(Process jvm) throws IOException {
        BufferedReader out = jvm.inputReader();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith("STARTED ")) {
                String[] words = line.split(" ");
                return List.of(Long.valueOf(words[1]), Long.valueOf(words[2]));
            }
        }
        throw new IllegalStateException("The JVM with the servers ended early");
    }

    private List<Path> temporaryDirectories() throws IOException {
        try (Stream<Path> entries = Files.list(temp)) {
            return entries.filter(entry -> entry.getFileName().toString().matches("interlock-(redis|postgres)-.*"))
                    .toList();
        }
    }

    private static boolean exists(long pid) {
        return ProcessHandle.of(pid)
                .filter(process -> !GuardedProcess.isGone(process))
                .isPresent();
    }

    private static void send(String signal, String target) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("sh", "-c", "kill -s \"$1\" -- \"$2\"", "sh", signal, target)
                .inheritIO()
                .start();
        assertThat(kill.waitFor()).isZero();
    }
}
