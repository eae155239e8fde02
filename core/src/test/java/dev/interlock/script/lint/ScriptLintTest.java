// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptLintTest {
    /** The files mark each line on which the rule must fire with its code at the end, after an arrow. */
    @ParameterizedTest
    @EnumSource(Rule.class)
    void firesOnTheMarkedLinesAndNowhereElse(Rule rule) {
        String name = rule.name().toLowerCase(Locale.ROOT) + ".lua";
        String source = resource(name);
        List<Integer> marked = new ArrayList<>();
        List<String> lines = source.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).endsWith("<- " + rule.code())) {
                marked.add(i + 1);
            }
        }
        List<Finding> findings = ScriptLint.check(name, source);
        assertThat(marked).isNotEmpty();
        assertThat(findings).extracting(Finding::rule).containsOnly(rule);
        assertThat(findings).extracting(Finding::line).containsExactlyElementsOf(marked);
    }

    @ParameterizedTest
    @ValueSource(strings = {"clean.lua", "stock_declared.lua"})
    void findsNothingInGoodScripts(String name) {
        assertThat(ScriptLint.check(name, resource(name))).isEmpty();
    }

    @Test
    void findsNothingInInterlocksOwnScripts() throws IOException, URISyntaxException {
        URI anchor =
                ScriptLint.class.getResource("/dev/interlock/stock/take.lua").toURI();
        Path root = Path.of(anchor).getParent().getParent();
        List<Path> scripts;
        try (Stream<Path> files = Files.walk(root)) {
            // Limiters put theirs together from parts: LimitScriptsTest looks at the whole.
            scripts = files.filter(file -> file.toString().endsWith(".lua"))
                    .filter(file -> !file.getParent().endsWith("limit"))
                    .toList();
        }
        assertThat(scripts).hasSizeGreaterThan(10);
        assertThat(scripts)
                .flatMap(file -> ScriptLint.check(root.relativize(file).toString(), read(file)))
                .isEmpty();
    }

    @Test
    void saysWhereWhyAndHowToMend() {
        Finding finding =
                ScriptLint.check("stock_built.lua", resource("stock_built.lua")).get(0);
        assertThat(finding)
                .hasToString("stock_built.lua:10: L11 GET gets a key name built in the script: " + Rule.KEY_NAME.why()
                        + " Mend: " + Rule.KEY_NAME.mend());
    }

    @Test
    void keepsCodesStable() {
        for (Rule rule : Rule.values()) {
            assertThat(rule.code()).isEqualTo(String.format(Locale.ROOT, "L%02d", rule.ordinal()));
        }
    }

    @Test
    void knowsTheFlagsThatRedisKnows() {
        String rest = resource("stock_declared.lua").substring("#!lua".length());
        assertThat(ScriptLint.check("good", "#!lua flags=no-writes,allow-stale" + rest))
                .isEmpty();
        assertThat(ScriptLint.check("bad", "#!lua flags=no-write" + rest))
                .singleElement()
                .satisfies(finding -> assertThat(finding.why()).startsWith("Redis does not know the flags [no-write]"))
                .returns(Rule.SHEBANG, Finding::rule);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "#!lua", "return 'open", "--[[ open", "x = [==[ ]=]", "f(", "\0", "\\"})
    void reportsWhatIsNoScriptInsteadOfFailing(String source) {
        assertThat(ScriptLint.check("broken", source)).extracting(Finding::rule).contains(Rule.HEADER);
    }

    /** Any text must give findings, not an exception: here what an editor saves half-way. */
    @ParameterizedTest
    @EnumSource(Rule.class)
    void reportsOnScriptsThatAreCutOff(Rule rule) {
        String source = resource(rule.name().toLowerCase(Locale.ROOT) + ".lua");
        for (int length = 0; length < source.length(); length += 5) {
            assertThat(ScriptLint.check("cut", source.substring(0, length))).isNotNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "{", "do ", "return not ", "a[", "if x then "})
    void reportsNestingThatLuaRefusesInsteadOfFailing(String opening) {
        assertThat(ScriptLint.check("deep", opening.repeat(10_000)))
                .extracting(Finding::rule)
                .contains(Rule.SYNTAX);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a = a or ARGV[1]\n",
                "a = a .. a\n",
                "a = a.b\n",
                "a = {a}\n",
                "a = a[a]\n",
                "if a then a = f(a) end\n"
            })
    void followsLongChainsOfAssignments(String line) {
        String source = "local a\nlocal function f(x) return x end\n" + line.repeat(1_000) + "redis.call('GET', a)";
        assertThat(ScriptLint.check("long", source)).extracting(Finding::rule).doesNotContain(Rule.SYNTAX);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--[==[\n]]\n]==]", "local s = [[\n\n]]", "local s = 'a\\\nb'\n", "--[ no\n--[= no\n", "\r\n\r\n"
            })
    void countsTheLinesOfLongStringsAndComments(String twoLines) {
        assertThat(ScriptLint.check("lines", twoLines + " math.random()"))
                .filteredOn(finding -> finding.rule() == Rule.RANDOM)
                .extracting(Finding::line)
                .containsExactly(3);
    }

    @Test
    void readsAMaximumFromTheLineBelow() {
        String head = "#!lua\n-- Pushes.\n-- KEYS[1] list\n-- ARGV[1..] items of any kind,\n";
        String rest = "-- Returns 1\n-- Cost O(items)\nreturn redis.call('RPUSH', KEYS[1], unpack(ARGV))";
        assertThat(ScriptLint.check("bounded", head + "--         at most 1,000\n" + rest))
                .isEmpty();
        for (String other : List.of("--         at most 8,000\n", "--         each up to 64 bytes\n", "")) {
            assertThat(ScriptLint.check("open", head + other + rest))
                    .extracting(Finding::rule)
                    .containsExactly(Rule.UNPACK);
        }
    }

    /** With RESP3 replies, a missing value is nil. */
    @Test
    void allowsNilWhereTheScriptAskedForIt() {
        String source = resource("nil_reply.lua").replace("local left", "redis.setresp(3)\nlocal left");
        assertThat(ScriptLint.check("resp3", source)).isEmpty();
    }

    static String resource(String name) {
        try (InputStream in = ScriptLintTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
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
}
