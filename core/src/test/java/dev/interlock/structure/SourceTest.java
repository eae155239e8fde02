// SPDX-License-Identifier: Apache-2.0
package dev.interlock.structure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules about the sources of all modules that no compiler knows. */
class SourceTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final int MOST_JAVA_LINES = 300;
    private static final int MOST_LUA_LINES = 60;

    private static List<Path> sources(String ending) {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .filter(file -> !ROOT.relativize(file).toString().contains("target/"))
                    .filter(file -> ROOT.relativize(file).toString().contains("src/"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> ownScripts() {
        return sources(".lua").stream()
                .filter(file -> file.toString().contains("main/resources"))
                .toList();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void noJavaFileIsLongerThanItsLimit() {
        assertThat(sources(".java"))
                .isNotEmpty()
                .allSatisfy(file ->
                        assertThat(read(file).lines()).as(file.toString()).hasSizeLessThanOrEqualTo(MOST_JAVA_LINES));
    }

    @Test
    void noTestIsSwitchedOffSkippedOrAsleep() {
        Pattern forbidden = Pattern.compile("@Dis" + "abled|@Ig" + "nore|assume" + "(True|That|False)\\(|Thread\\.sle"
                + "ep|" + "TimeUnit\\.[A-Z]+\\.sle" + "ep");
        assertThat(sources(".java"))
                .filteredOn(file -> file.toString().contains("src/test"))
                .isNotEmpty()
                .allSatisfy(file -> assertThat(read(file)).as(file.toString()).doesNotContainPattern(forbidden));
    }

    @Test
    void noScriptIsLongerThanItsLimit() {
        assertThat(ownScripts()).isNotEmpty().allSatisfy(file -> {
            String source = read(file);
            List<String> body = source.lines()
                    .filter(line -> !line.startsWith("--") && !line.startsWith("#!"))
                    .toList();
            assertThat(body).as("lines of %s", file).hasSizeLessThanOrEqualTo(MOST_LUA_LINES);
        });
    }
}
