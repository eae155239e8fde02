// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "}x",
                "{}",
                "a{b}c",
                "a}b{c",
                "{{b}}",
                "a:fence",
                "🎟️",
                "../../etc/passwd",
                "%2e%2e%2f",
                "*",
                "?",
                "[a-z]",
                "\\",
                "%s%n",
                "${jndi:ldap://x}",
                "é",
                "e\u0301",
                "K",
                "İ",
                "ß",
                "'); drop table orders;--",
                "a b",
                "00017"
            })
    void takesOrdinaryNamesLiterally(String name) {
        assertThat(Names.name("name", name)).isSameAs(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                " a",
                "a ",
                "\u00A0a",
                "a\u0000b",
                "a\r\nb",
                "a\tb",
                "\u001B[31m",
                "\u007F",
                "\u009F",
                "\uD800",
                "a\uDC00b",
                "a\u202Eb",
                "a\u200Bb",
                "\uFEFFa",
                "\u2028",
                "a\uDB40\uDC41b"
            })
    void refusesNamesThatCannotBeSeenStoredOrToldApart(String name) {
        assertThatThrownBy(() -> Names.name("sku", name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("sku ")
                .satisfies(e -> assertThat(e.getMessage().chars()).noneMatch(Character::isISOControl));
    }

    @ParameterizedTest
    @CsvSource({"a, 512", "é, 256", "€, 170", "🎟, 128"})
    void countsBytesOfUtf8(String letter, int most) {
        assertThat(Names.name("name", letter.repeat(most))).hasSize(letter.length() * most);
        assertThatThrownBy(() -> Names.name("name", letter.repeat(most) + "€"))
                .hasMessageContaining("512 bytes")
                .satisfies(e -> assertThat(e.getMessage().length()).isLessThan(500));
    }

    @Test
    void refusesNullByNameAndALongEchoIsCut() {
        assertThatThrownBy(() -> Names.name("lock", null)).hasMessage("lock must not be null");
        assertThat(Names.echo("x".repeat(1_000_000))).hasSize(67).endsWith("…\"");
        assertThat(Names.echo("a\r\u202E")).isEqualTo("\"a\\u000D\\u202E\"");
    }
}
