// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.CrossSlotException;
import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeysTest {
    private static final List<String> NASTY = List.of(
            "}x",
            "{}",
            "a{b}c",
            "a}b{c",
            "{{b}}",
            "a:fence",
            "a",
            "b",
            "%7B",
            "{",
            "}",
            "a:b",
            "a%3Ab",
            "fence",
            "a}",
            "x}:fence");
    private final Keys keys = new Keys("interlock");

    private static String text(byte[] key) {
        return new String(key, StandardCharsets.UTF_8);
    }

    @Test
    void allKeysOfOneNameShareASlot() {
        assertThat(NASTY).allSatisfy(name -> {
            int slot = SlotHash.getSlot(keys.of("lock", name));
            assertThat(SlotHash.getSlot(keys.part("lock", name, "fence"))).isEqualTo(slot);
            assertThat(SlotHash.getSlot(keys.item("lock", name, "request", "{other}")))
                    .isEqualTo(slot);
        });
    }

    @Test
    void noTwoNamesPartsOrItemsShareAKey() {
        Map<String, String> seen = new HashMap<>();
        for (String name : NASTY) {
            distinct(seen, keys.of("lock", name), "of " + name);
            distinct(seen, keys.part("lock", name, "fence"), "part " + name);
            for (String item : NASTY) {
                distinct(seen, keys.item("lock", name, "request", item), "item " + name + " " + item);
            }
        }
    }

    private static void distinct(Map<String, String> seen, byte[] key, String what) {
        assertThat(seen.put(text(key), what)).as(text(key)).isNull();
    }

    @Test
    void aReadableNameStaysReadable() {
        assertThat(text(keys.of("stock", "order:42"))).isEqualTo("interlock:stock:{order:42}");
        assertThat(text(keys.item("stock", "a", "request", "b:c"))).isEqualTo("interlock:stock:{a}:request:b%3Ac");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "{x}", "é", "a*"})
    void refusesAPrefixWithOtherSigns(String prefix) {
        assertThatThrownBy(() -> new Keys(prefix)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aCrossSlotCallIsRefusedWithASuggestion() {
        byte[][] call = {bytes("coupon:stock:A001"), bytes("coupon:issued:A001")};
        assertThatThrownBy(() -> Slots.common("issue", call))
                .isInstanceOf(CrossSlotException.class)
                .hasMessageContaining("\"coupon:stock:A001\" (slot " + SlotHash.getSlot("coupon:stock:A001") + ")")
                .hasMessageContaining("\"coupon:stock:{A001}\"");
        assertThatThrownBy(() -> Slots.common("issue", new byte[][] {bytes("a"), bytes("b")}))
                .hasMessageContaining("one hash tag");
        assertThat(Slots.common("issue", new byte[][] {bytes("{a}1"), bytes("{a}2")}))
                .isEqualTo(SlotHash.getSlot("a"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
