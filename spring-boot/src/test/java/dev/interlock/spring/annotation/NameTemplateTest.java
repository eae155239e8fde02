// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NameTemplateTest {
    record Customer(String name) {}

    record Order(long id, Customer customer) {}

    private static String resolve(String template, @Nullable Object... arguments) {
        return NameTemplate.parse("name", template, List.of("a", "b")).resolve(arguments);
    }

    @Test
    void readsParametersAndTheirProperties() {
        Order order = new Order(7, new Customer("ann"));
        assertThat(resolve("order:#{#a}", 42)).isEqualTo("order:42");
        assertThat(resolve("#{#a.id}/#{#a.customer.name}", order)).isEqualTo("7/ann");
        assertThat(resolve("#{#a['k']}", Map.of("k", "v"))).isEqualTo("v");
        assertThat(resolve("#{#a[1]}", List.of("x", "y"))).isEqualTo("y");
        assertThat(resolve("#{#a ?: 'none'}", (Object) null)).isEqualTo("none");
        assertThat(resolve("#{#a > 5 ? 'big' : 'small'}", 6)).isEqualTo("big");
        assertThat(resolve("#{#a}", TimeUnit.DAYS)).isEqualTo("DAYS");
        assertThat(resolve("#{#a}", new UUID(1, 2))).isEqualTo(new UUID(1, 2).toString());
        assertThat(resolve("all")).isEqualTo("all");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#{T(java.lang.Runtime).getRuntime()}",
                "#{new java.util.Date()}",
                "#{@bean}",
                "#{&bean}",
                "#{#a.toString()}",
                "#{#a.getClass()}",
                "#{#f(#a)}",
                "#{#a = 1}",
                "#{#a++}",
                "#{#a * 1000000}",
                "#{#a ^ 9}",
                "#{#a matches '(x+)+'}",
                "#{{1,2}}",
                "#{#a.![#this]}",
                "#{#root}",
                "#{#this}",
                "#{#c}",
                "#{a}",
                "#{#a",
                "#{}",
                "#{#a}#{#b}",
                "",
                "   "
            })
    void refusesAtOnceWhatIsNotAParameter(String template) {
        assertThatThrownBy(() -> NameTemplate.parse("name", template, List.of("a", "b")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("name ");
    }

    @Test
    void refusesAnEndlessTemplate() {
        assertThatThrownBy(() -> resolve("x".repeat(513))).hasMessageContaining("512");
        assertThat(resolve("x".repeat(512))).hasSize(512);
    }

    @Test
    void takesAnArgumentAsTextWhateverItSays() {
        String attack = "#{T(java.lang.Runtime).getRuntime().exec('true')}";
        assertThat(resolve("order:#{#a}", attack)).isEqualTo("order:" + attack);
    }

    @Test
    void refusesAValueThatIsNone() {
        assertThatThrownBy(() -> resolve("order:#{#a}", (Object) null)).hasMessageContaining("is null");
        assertThatThrownBy(() -> resolve("order:#{#a}", "")).hasMessageContaining("is empty");
        assertThatThrownBy(() -> resolve("order:#{#a}", List.of(1))).hasMessageContaining("must be text, a number");
        assertThatThrownBy(() -> resolve("order:#{#a.class}", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> resolve("order:#{#a.nothing}", 1)).hasMessageContaining("has no value");
    }

    @ParameterizedTest
    @CsvSource({"1:2, 3, 1, 2:3", "a, b:c, a:b, c", "%003a, x, :, x"})
    void givesDifferentArgumentsDifferentNames(String a, String b, String otherA, String otherB) {
        String template = "#{#a}:#{#b}";
        assertThat(resolve(template, a, b)).isNotEqualTo(resolve(template, otherA, otherB));
    }
}
