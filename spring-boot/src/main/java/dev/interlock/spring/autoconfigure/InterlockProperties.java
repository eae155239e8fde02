// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.autoconfigure;

import dev.interlock.ScriptMode;
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
 * @param scriptMode How Redis is made to know scripts: by digest, or as functions.
 * @param checks What to look at on the servers when the application starts.
 */
@ConfigurationProperties("interlock")
public record InterlockProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("interlock") String keyPrefix,
        @DefaultValue("200ms") Duration commandTimeout,
        @DefaultValue("65536") int maxPending,
        @DefaultValue("evalsha") ScriptMode scriptMode,
        @DefaultValue Checks checks) {

    /**
     * What to look at on the servers when the application starts.
     *
     * @param atStartup What to do about servers that are not set up for what is decided on them.
     * @param durability What a crash of Redis may lose: with "memory" nobody is warned that there is no append-only file.
     */
    public record Checks(
            @DefaultValue("warn") AtStartup atStartup,
            @DefaultValue("disk") Durability durability) {}

    /** What to do about servers that are not set up for what is decided on them. */
    public enum AtStartup {
        /** Look at nothing. */
        OFF,
        /** Log what is not as it should be. */
        WARN,
        /** Log it, and do not start where a promise does not hold, such as on a server that evicts keys. */
        FAIL
    }

    /** What a crash of Redis may lose. */
    public enum Durability {
        /** Everything: only locks and limits are used, or pools are rebuilt from a database. */
        MEMORY,
        /** What was written since the last fsync of the append-only file. */
        DISK
    }
}
