// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what is wrong with the servers, such as their eviction policy, and what to do about it. */
final class FailedChecksFailureAnalyzer extends AbstractFailureAnalyzer<FailedChecksException> {
    @Override
    protected FailureAnalysis analyze(Throwable root, FailedChecksException cause) {
        return new FailureAnalysis(
                "Redis is not set up for what Interlock decides on it:\n" + cause.getMessage(),
                cause.mends() + "\nTo start all the same, set 'interlock.checks.at-startup' to 'warn'.",
                cause);
    }
}
