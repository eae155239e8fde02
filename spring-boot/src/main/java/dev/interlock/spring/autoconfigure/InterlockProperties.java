// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.autoconfigure;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How Interlock behaves; where Redis is, is told by {@code spring.data.redis.*}.
 *
 * @param enabled Whether to set Interlock up at all.
 * @param keyPrefix First part of every key: 1 to 64 letters, digits and the signs "_ . : -". Applications with different
 *     prefixes share nothing.
 * @param commandTimeout Longest time that one call to Redis may take, with every attempt; 10 ms to 1 minute.
 * @param maxPending Most requests that may wait in this JVM for one key group, 1 to 10,000,000.
 */
@ConfigurationProperties("interlock")
public record InterlockProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("interlock") String keyPrefix,
        @DefaultValue("200ms") Duration commandTimeout,
        @DefaultValue("65536") int maxPending) {}
