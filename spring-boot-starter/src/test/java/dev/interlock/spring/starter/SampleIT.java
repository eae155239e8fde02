// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.starter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Builds and runs an application from the artifacts as they would be published, in a local repository of its own. What is not
 * ours comes from the repository of this build, or from Maven Central.
 */
class SampleIT {
    private static final Path TARGET = Path.of("target/sample").toAbsolutePath();
    private static final Path REPOSITORY = TARGET.resolve("repository");
    private static final Path APPLICATION = TARGET.resolve("application");
    private static final String VERSION = System.getProperty("interlock.version");
    private static final Map<String, String> JARS = Map.of(
            "interlock-core", "../core",
            "interlock-embedded", "../embedded",
            "interlock-spring-boot", "../spring-boot",
            "interlock-spring-boot-starter", ".");

    @Test
    void anApplicationBuildsAndRunsFromThePublishedArtifacts() throws Exception {
        install("interlock-parent", Path.of("../pom.xml"), "pom");
        for (Map.Entry<String, String> module : JARS.entrySet()) {
            Path folder = Path.of(module.getValue());
            install(module.getKey(), folder.resolve("pom.xml"), "pom");
            install(module.getKey(), folder.resolve("target/" + module.getKey() + '-' + VERSION + ".jar"), "jar");
        }
        layApplication();
        Files.writeString(TARGET.resolve("settings.xml"), settings());

        Path log = TARGET.resolve("build.log");
        Process build = new ProcessBuilder(
                        System.getProperty("maven.home") + "/bin/mvn",
                        "-B",
                        "-ntp",
                        "-s",
                        TARGET.resolve("settings.xml").toString(),
                        "-Dmaven.repo.local=" + REPOSITORY,
                        "test")
                .directory(APPLICATION.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        boolean ended = build.waitFor(5, TimeUnit.MINUTES);
        build.destroyForcibly();
        String output = Files.readString(log);
        assertThat(ended && build.exitValue() == 0).as(output).isTrue();
        assertThat(output).contains("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0");
    }

    private static void install(String artifact, Path file, String type) throws IOException {
        Path folder = Files.createDirectories(
                REPOSITORY.resolve("dev/interlock").resolve(artifact).resolve(VERSION));
        Path installed = folder.resolve(artifact + '-' + VERSION + '.' + type);
        Files.deleteIfExists(installed);
        Files.copy(file, installed);
    }

    private static void layApplication() throws IOException {
        Path sample = Path.of("src/test/sample");
        List<Path> files;
        try (Stream<Path> all = Files.walk(sample)) {
            files = all.filter(Files::isRegularFile).toList();
        }
        for (Path file : files) {
            Path copy = APPLICATION.resolve(sample.relativize(file).toString());
            Files.createDirectories(copy.getParent());
            String text = Files.readString(file);
            for (String name : List.of("interlock.version", "spring-boot.version", "junit.version")) {
                text = text.replace('@' + name + '@', System.getProperty(name));
            }
            Files.writeString(copy, text);
        }
    }

    private static String settings() {
        String repository = """
                <id>here</id>
                <url>%s</url>
                <releases><checksumPolicy>ignore</checksumPolicy></releases>
                <snapshots><enabled>false</enabled></snapshots>
                """.formatted(
                        Path.of(System.getProperty("repository.of.this.build")).toUri());
        return """
                <settings>
                  <profiles>
                    <profile>
                      <id>here</id>
                      <repositories><repository>%1$s</repository></repositories>
                      <pluginRepositories><pluginRepository>%1$s</pluginRepository></pluginRepositories>
                    </profile>
                  </profiles>
                  <activeProfiles><activeProfile>here</activeProfile></activeProfiles>
                </settings>
                """.formatted(repository);
    }
}
