// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    private final PrintStream realOut = System.out;
    private final PrintStream realErr = System.err;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void listen() {
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restore() {
        System.setOut(realOut);
        System.setErr(realErr);
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String complained() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        --coupons -1                    | --coupons must be from 0 to 10,000,000 but is -1
        --coupons 10000001              | --coupons must be from 0 to 10,000,000 but is 10,000,001
        --coupons x                     | --coupons
        --coupons                       | --coupons
        --requests 0                    | --requests must be from 1 to 100,000,000 but is 0
        --requests 99999999999          | --requests must be from 1 to 100,000,000
        --users 0                       | --users must be from 1 to
        --requests 10 --users 10        | --users 10 is more than the 9 requests that are no repeats
        --duplicates -0.1               | --duplicates must be from 0 to 0.99 but is -0.1
        --duplicates 1                  | --duplicates must be from 0 to 0.99 but is 1.0
        --duplicates NaN                | --duplicates must be from 0 to 0.99 but is NaN
        --nodes 0                       | --nodes must be from 1 to 16 but is 0
        --nodes 17                      | --nodes must be from 1 to 16 but is 17
        --nodes 3 --requests 2          | --nodes 3 is more than --requests 2
        --seed 1.5                      | --seed
        --redis localhost               | --redis must be an URI of Redis
        --db jdbc:mysql://localhost/x   | --db must be a JDBC URL of PostgreSQL
        --unheard-of                    | --unheard-of
        stray                           | stray
        """)
    void aWrongOptionIsOneLineAndCodeTwo(String options, String complaint) {
        int code = Main.execute(("rush " + options).split(" "));

        assertThat(code).isEqualTo(2);
        assertThat(printed()).isEmpty();
        assertThat(complained().lines()).hasSize(1);
        assertThat(complained()).startsWith("interlock rush: ").contains(complaint);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:mysql://u:secret@localhost/x", "secret"})
    void whatMayBeAPasswordIsNotRepeated(String url) {
        assertThat(Main.execute("rush", "--db", url)).isEqualTo(2);
        assertThat(Main.execute("rush", "--redis", url)).isEqualTo(2);
        assertThat(complained()).doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--reddis redis://:s3cret@h:1",
                "-redis=redis://u:s3cret@h:1",
                "--db=x jdbc:postgresql://l/d?user=u&password=s3cret",
                "--redis redis://u:x#s3cret@localhost:1",
                "--db jdbc:postgresql://localhost:abc/d?user=u&password=s3cret"
            })
    void aPasswordInAMistypedOptionIsNotRepeatedAndNothingStarts(String options) {
        assertThat(Main.execute(("rush " + options).split(" ", -1))).isEqualTo(2);
        assertThat(complained()).doesNotContain("s3cret").hasLineCount(1);
    }

    @Test
    void aMissingOrUnknownCommandIsAWrongOption() {
        assertThat(Main.execute()).isEqualTo(2);
        assertThat(Main.execute("bogus")).isEqualTo(2);
        assertThat(complained().lines()).hasSize(2).allMatch(line -> line.startsWith("interlock: "));
    }

    @Test
    void helpNamesCommandsOptionsDefaultsAndExitCodes() {
        assertThat(Main.execute("--help")).isZero();
        assertThat(printed()).contains("rush").doesNotContain("rush-node");
        out.reset();
        assertThat(Main.execute("rush", "--help")).isZero();
        assertThat(printed())
                .contains("--coupons", "--requests", "--users", "--duplicates", "--nodes", "--redis", "--db", "--json")
                .contains("10000", "1000000", "0.1")
                .contains("Exit codes", "130");
        assertThat(complained()).isEmpty();
    }

    @Test
    void tellsItsVersion() {
        assertThat(Main.execute("--version")).isZero();
        assertThat(printed()).startsWith("interlock ");
    }

    @Test
    void aServerThatDoesNotAnswerIsOneLineAndCodeOneUnlessMoreIsAskedFor() {
        // Nothing listens on port 1. The database is asked first, so no Redis is needed either.
        int code = Main.execute(
                "rush", "--redis", "redis://127.0.0.1:1", "--db", "jdbc:postgresql://127.0.0.1:1/x?user=x");

        assertThat(code).isEqualTo(1);
        assertThat(printed()).isEmpty();
        assertThat(complained().lines().filter(line -> line.startsWith("interlock rush: ")))
                .singleElement()
                .asString()
                .contains("--db");
        assertThat(complained()).doesNotContain("\tat ");

        Main.execute(
                "rush", "--verbose", "--db", "jdbc:postgresql://127.0.0.1:1/x?user=x", "--redis", "redis://[::1]:1");
        assertThat(complained()).contains("\tat ");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        serve --port 65536             | interlock serve: --port must be from 0 to 65,535 but is 65536
        serve --port -1                | interlock serve: --port must be from 0 to 65,535 but is -1
        serve --port x                 | interlock serve:
        serve --redis localhost        | interlock serve: --redis must be an URI of Redis
        serve --db jdbc:mysql://l/x    | interlock serve: --db must be a JDBC URL of PostgreSQL
        serve --log-format xml         | interlock serve: --log-format must be ecs, gelf or logstash
        serve --kafka localhost        | interlock serve: --kafka must be hosts with ports
        serve --kafka a:1,b:65536      | interlock serve: --kafka must be hosts with ports
        serve stray                    | interlock serve:
        locks                          | interlock locks: say what
        locks list --redis localhost   | interlock locks list: --redis must be an URI of Redis
        locks show                     | interlock locks show:
        locks release                  | interlock locks release:
        pool                           | interlock pool: say what
        pool show                      | interlock pool show:
        pool reconcile p               | interlock pool reconcile: --db is missing
        pool rebuild                   | interlock pool rebuild:
        pool rebuild p --yes           | interlock pool rebuild: --db is missing
        """)
    void aWrongOptionOfAnyCommandIsOneLineAndCodeTwo(String line, String complaint) {
        assertThat(Main.execute(line.split(" "))).isEqualTo(2);
        assertThat(printed()).isEmpty();
        assertThat(complained().lines()).hasSize(1);
        assertThat(complained()).startsWith(complaint);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "serve",
                "locks list",
                "locks show",
                "locks release",
                "pool show",
                "pool reconcile",
                "pool rebuild"
            })
    void everyCommandTellsItsOptionsAndExitCodes(String command) {
        assertThat(Main.execute((command + " --help").split(" "))).isZero();
        assertThat(printed()).contains("Usage: interlock " + command, "--redis", "Exit codes:", "2");
        assertThat(complained()).isEmpty();
    }
}
