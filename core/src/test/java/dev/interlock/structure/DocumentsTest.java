// SPDX-License-Identifier: Apache-2.0
package dev.interlock.structure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Prose that names code rots unless a test reads it. */
class DocumentsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Map<String, Integer> MOST_LINES =
            Map.of("README.md", 150, "ARCHITECTURE.md", 120, "CONTRIBUTING.md", 80);
    private static final int MOST_DECISION_LINES = 12;

    private static final Pattern PATH =
            Pattern.compile("`((?:core|ledger|embedded|flashsale|benchmarks|docs)/[^`<> ]*)`");
    private static final Pattern LINK = Pattern.compile("]\\((?!http)([^)#]+)\\)");
    /** Two capitals apart, as in IssueLane: names of types, not words. */
    private static final Pattern TYPE = Pattern.compile("`([A-Z][a-z]+(?:[A-Z][a-z]+)+)`");
    /** Types of others that the documents mention. */
    private static final Set<String> FOREIGN =
            Set.of("IllegalArgumentException", "ClientResources", "JdbcClient", "FutureReturnValueIgnored");

    private static List<Path> documents() {
        try (Stream<Path> files = Files.walk(ROOT, 2)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !file.toString().contains("target"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<String> found(Pattern pattern, String text) {
        Set<String> found = new TreeSet<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    @Test
    void everyPathAndLinkExists() {
        assertThat(documents()).hasSizeGreaterThan(5).allSatisfy(document -> {
            assertThat(found(PATH, read(document)))
                    .as("paths in %s", document)
                    .allSatisfy(path -> assertThat(ROOT.resolve(path)).exists());
            assertThat(found(LINK, read(document)))
                    .as("links in %s", document)
                    .allSatisfy(
                            link -> assertThat(document.resolveSibling(link)).exists());
        });
    }

    @Test
    void everyNamedTypeExists() throws IOException {
        Set<String> types;
        try (Stream<Path> files = Files.walk(ROOT)) {
            types = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".java"))
                    .map(name -> name.substring(0, name.length() - ".java".length()))
                    .collect(Collectors.toSet());
        }
        assertThat(documents())
                .allSatisfy(document -> assertThat(found(TYPE, read(document)))
                        .as("types in %s", document)
                        .allSatisfy(type -> assertThat(types.contains(type) || FOREIGN.contains(type))
                                .as(type)
                                .isTrue()));
    }

    @Test
    void noDocumentIsLongerThanItsLimit() {
        MOST_LINES.forEach((name, most) ->
                assertThat(read(ROOT.resolve(name)).lines()).as(name).hasSizeLessThanOrEqualTo(most));
        for (String decision : read(ROOT.resolve("docs/decisions.md")).split("\n## ")) {
            assertThat(decision.strip()
                            .lines()
                            .skip(1)
                            .filter(line -> !line.isBlank())
                            .count())
                    .as(decision.lines().findFirst().orElse(""))
                    .isLessThanOrEqualTo(MOST_DECISION_LINES);
        }
    }

    @Test
    void theReadmeShowsCodeThatATestRuns() {
        String block = read(ROOT.resolve("README.md")).split("```java\n", -1)[1].split("```", -1)[0];
        String test = read(ROOT.resolve("core/src/test/java/dev/interlock/ReadmeIT.java"));
        Set<String> shown = block.lines()
                .map(DocumentsTest::bare)
                .filter(line -> line.length() > 3)
                .collect(Collectors.toSet());
        Set<String> run = test.lines().map(DocumentsTest::bare).collect(Collectors.toSet());
        shown.removeIf(line -> line.startsWith("try (Interlock interlock = Interlock.connect("));
        assertThat(run).containsAll(shown);
    }

    private static String bare(String line) {
        return line.replaceAll("//.*", "").strip();
    }
}
