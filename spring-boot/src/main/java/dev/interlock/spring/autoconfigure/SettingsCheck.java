// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.StreamUtils;

/**
 * Looks at the settings before any bean is made of them. Refuses lists of nodes that are there but empty, and a property below
 * {@code interlock} that no metadata on the class path describes: a misspelt setting that is silently
 * ignored is worse than an application that does not start. The environment of the process is not looked at, it is not ours
 * alone.
 */
final class SettingsCheck implements BeanFactoryPostProcessor {
    private static final ConfigurationPropertyName OURS = ConfigurationPropertyName.of("interlock");
    private static final List<String> NODES =
            List.of("spring.data.redis.cluster.nodes", "spring.data.redis.sentinel.nodes");
    static final String METADATA = "META-INF/spring-configuration-metadata.json";

    private final Environment environment;

    SettingsCheck(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        NODES.forEach(this::checkNodes);
        checkNames(beans.getBeanClassLoader());
    }

    private void checkNodes(String property) {
        String nodes = environment.getProperty(property);
        if (nodes != null && nodes.isBlank()) {
            throw RedisAddresses.noNodes(property);
        }
    }

    private void checkNames(@Nullable ClassLoader loader) {
        Set<ConfigurationPropertyName> known = null;
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource
                    || !(source instanceof IterableConfigurationPropertySource names)) {
                continue;
            }
            for (ConfigurationPropertyName name : names) {
                if (OURS.isAncestorOf(name)) {
                    known = known == null ? known(loader) : known;
                    check(name, known);
                }
            }
        }
    }

    private static void check(ConfigurationPropertyName name, Set<ConfigurationPropertyName> known) {
        if (known.stream().noneMatch(property -> property.equals(name) || property.isAncestorOf(name))) {
            throw new InvalidSettingException(
                    name.toString(),
                    "there is no such property",
                    "Correct its name or remove it. Properties below 'interlock' of your own need configuration metadata.");
        }
    }

    private static Set<ConfigurationPropertyName> known(@Nullable ClassLoader given) {
        ClassLoader loader = given == null ? SettingsCheck.class.getClassLoader() : given;
        Set<ConfigurationPropertyName> known = new HashSet<>();
        try {
            for (URL metadata : Collections.list(loader.getResources(METADATA))) {
                collect(StreamUtils.copyToString(metadata.openStream(), StandardCharsets.UTF_8), known);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return known;
    }

    private static void collect(String metadata, Set<ConfigurationPropertyName> known) {
        if (metadata.contains("\"interlock.")
                && JsonParserFactory.getJsonParser().parseMap(metadata).get("properties")
                        instanceof List<?> properties) {
            for (Object property : properties) {
                if (property instanceof Map<?, ?> fields
                        && fields.get("name") instanceof String name
                        && name.startsWith(OURS + ".")) {
                    known.add(ConfigurationPropertyName.of(name));
                }
            }
        }
    }
}
