// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the redis-server executable, and other programs on the PATH. */
final class Executables {
    static final String REDIS_VARIABLE = "INTERLOCK_REDIS_SERVER";
    private static final String REDIS_RESOURCE = "/redis-server-7.0.15-";

    private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+\\S*");

    private Executables() {}

    static Path redisServer() {
        return redisServer(System.getenv(REDIS_VARIABLE));
    }

    static Path redisServer(@Nullable String chosen) {
        if (chosen != null && !chosen.isBlank()) {
            Path path = Path.of(chosen).toAbsolutePath();
            if (!Files.isRegularFile(path) || !Files.isExecutable(path)) {
                throw new IllegalStateException(REDIS_VARIABLE + " names no executable file: " + path);
            }
            return path;
        }
        return packagedRedis()
                .or(() -> onPath("redis-server"))
                .or(() -> onPath("valkey-server"))
                .orElseThrow(() -> new IllegalStateException("No redis-server found: neither does the environment"
                        + " variable " + REDIS_VARIABLE + " name one, nor is org.signal:embedded-redis with an"
                        + " executable for " + platform() + " on the class path, nor is redis-server or"
                        + " valkey-server on the PATH"));
    }

    private static Optional<Path> packagedRedis() {
        try (InputStream content = Executables.class.getResourceAsStream(REDIS_RESOURCE + platform())) {
            return content == null
                    ? Optional.empty()
                    : Optional.of(BinaryCache.executable("redis-server", content.readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot unpack the packaged redis-server", e);
        }
    }

    /** Operating system and processor, such as {@code linux-amd64} or {@code darwin-arm64}. */
    static String platform() {
        String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String arch = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        return (os.startsWith("mac") ? "darwin" : os) + "-"
                + switch (arch) {
                    case "x86_64" -> "amd64";
                    case "aarch64" -> "arm64";
                    default -> arch;
                };
    }

    static Optional<Path> onPath(String name) {
        String path = System.getenv("PATH");
        return Stream.of((path == null ? "" : path).split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, name))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }

    /** The version number in what {@code executable --version} prints. */
    static String version(Path executable) {
        try {
            Process asked = new ProcessBuilder(executable.toString(), "--version")
                    .redirectErrorStream(true)
                    .start();
            String answer = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Matcher version = VERSION.matcher(answer);
            return version.find() ? version.group() : answer.strip();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot run " + executable, e);
        }
    }
}
