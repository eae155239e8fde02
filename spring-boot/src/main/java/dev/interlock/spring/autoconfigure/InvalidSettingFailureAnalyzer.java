// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Names the property that cannot be used. */
final class InvalidSettingFailureAnalyzer extends AbstractFailureAnalyzer<InvalidSettingException> {
    @Override
    protected FailureAnalysis analyze(Throwable root, InvalidSettingException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.action(), cause);
    }
}
