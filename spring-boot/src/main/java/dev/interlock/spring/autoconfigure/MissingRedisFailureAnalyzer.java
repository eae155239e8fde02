// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.autoconfigure;

import dev.interlock.NotExecutedException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says that no Redis answered, or that it did not let us in. */
final class MissingRedisFailureAnalyzer extends AbstractFailureAnalyzer<NotExecutedException> {
    @Override
    protected FailureAnalysis analyze(Throwable root, NotExecutedException cause) {
        String message = String.valueOf(cause.getMessage());
        boolean refused = message.contains("WRONGPASS") || message.contains("NOAUTH") || message.contains("NOPERM");
        return new FailureAnalysis(
                "Interlock " + message,
                refused
                        ? "Set 'spring.data.redis.username' and 'spring.data.redis.password' to those of a user that may run"
                                + " scripts."
                        : "Start Redis 7 or Valkey 8 there, or point 'spring.data.redis.host' and 'spring.data.redis.port' (or"
                                + " 'spring.data.redis.url', '.sentinel.*', '.cluster.*') at one. In tests, '@InterlockTest'"
                                + " with interlock-embedded starts one. To run without Interlock, set 'interlock.enabled' to"
                                + " 'false'.",
                cause);
    }
}
