// SPDX-License-Identifier: Apache-2.0
package dev.interlock.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.embedded.PostgresServer;
import dev.interlock.embedded.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code interlock serve} as a process of its own, on servers of the test. */
final class ServiceProcess implements AutoCloseable {
    static final String PASSWORD = "browser-test";

    private static final Path JAR = Path.of("..", "flashsale", "target", "interlock-flashsale.jar");
    private static final Pattern READY = Pattern.compile("ready at (http://localhost:\\d+/)");
    private static final Duration STARTS_WITHIN = Duration.ofSeconds(60);

    private final RedisServer redis = RedisServer.start();
    private final PostgresServer database = PostgresServer.start();
    private final Path errors;
    private final Process process;
    private final String url;

    ServiceProcess(Path folder) {
        assertThat(JAR).as("the jar that the build has packaged").exists();
        errors = folder.resolve("service.log");
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-jar",
                        JAR.toAbsolutePath().toString(),
                        "serve",
                        "--port",
                        "0",
                        "--redis",
                        redis.uri(),
                        "--db",
                        database.jdbcUrl()))
                .directory(folder.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(errors.toFile());
        builder.environment().put("FLASHSALE_OPERATOR_PASSWORD", PASSWORD);
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        await().atMost(STARTS_WITHIN).until(() -> ready().find() || !process.isAlive());
        Matcher ready = ready();
        assertThat(ready.find()).as("started: %s", log()).isTrue();
        url = ready.group(1);
    }

    private Matcher ready() {
        return READY.matcher(log());
    }

    private String log() {
        try {
            return Files.exists(errors) ? Files.readString(errors) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String url() {
        return url;
    }

    String redis() {
        return redis.uri();
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().completeOnTimeout(process, 40, TimeUnit.SECONDS).join();
        process.destroyForcibly();
        database.close();
        redis.close();
    }
}
