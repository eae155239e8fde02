// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Comes before the analysis of Spring Boot, which repeats the URL with the password in it. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class RedisUrlFailureAnalyzer implements FailureAnalyzer {
    private static final String TYPE = "DataRedisUrlSyntaxException";

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause.getClass().getSimpleName().equals(TYPE)) {
                return new FailureAnalysis(
                        "The property 'spring.data.redis.url' holds no URL of a Redis server. (It is not shown, as it may hold a"
                                + " password.)",
                        "Write it as redis://user:password@host:port, or rediss:// for an encrypted connection, with special"
                                + " signs of the password percent-encoded. Sentinels and clusters have properties of their own:"
                                + " 'spring.data.redis.sentinel.*' and 'spring.data.redis.cluster.*'.",
                        cause);
            }
        }
        return null;
    }
}
