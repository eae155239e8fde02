// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.InterlockBuilder;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.mock.env.MockEnvironment;

/** What editors and native images are told. */
class MetadataTest {
    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> properties() throws Exception {
        try (InputStream metadata =
                InterlockProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            String text = new String(metadata.readAllBytes(), StandardCharsets.UTF_8);
            return (List<Map<String, Object>>)
                    JsonParserFactory.getJsonParser().parseMap(text).get("properties");
        }
    }

    @Test
    void everyPropertyIsDescribed() throws Exception {
        assertThat(properties())
                .filteredOn(property -> property.get("name").toString().startsWith("interlock."))
                .hasSizeGreaterThan(8)
                .allSatisfy(property ->
                        assertThat(property).as("%s", property.get("name")).containsKeys("description", "type"));
    }

    @Test
    void theDefaultsAreThoseOfTheCore() {
        InterlockProperties defaults =
                Binder.get(new MockEnvironment()).bindOrCreate("interlock", InterlockProperties.class);
        assertThat(defaults.enabled()).isTrue();
        assertThat(defaults.keyPrefix()).isEqualTo(InterlockBuilder.DEFAULT_KEY_PREFIX);
        assertThat(defaults.commandTimeout()).isEqualTo(InterlockBuilder.DEFAULT_COMMAND_TIMEOUT);
        assertThat(defaults.scriptMode()).isEqualTo(InterlockBuilder.DEFAULT_SCRIPT_MODE);
        assertThat(defaults.maxPending()).isEqualTo(InterlockBuilder.DEFAULT_MAX_PENDING);
    }

    @Test
    void aNativeImageGetsEveryScript() throws Exception {
        RuntimeHints hints = new RuntimeHints();
        new InterlockRuntimeHints().registerHints(hints, getClass().getClassLoader());
        Path resources = Path.of("../core/src/main/resources");
        try (Stream<Path> files = Files.walk(resources)) {
            assertThat(files.filter(file -> file.toString().endsWith(".lua"))
                            .map(file -> resources.relativize(file).toString()))
                    .hasSizeGreaterThan(30)
                    .allSatisfy(script -> assertThat(
                                    RuntimeHintsPredicates.resource().forResource(script))
                            .accepts(hints));
        }
        assertThat(RuntimeHintsPredicates.resource().forResource(SettingsCheck.METADATA))
                .accepts(hints);
    }
}
